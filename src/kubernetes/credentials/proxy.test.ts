import { describe, expect, it } from 'vitest';
import { proxyOf } from './proxy.ts';

const PROXY = 'http://proxy:3128';
const proxied = (server: string, noProxy: string): boolean =>
  proxyOf(new URL(server), { HTTPS_PROXY: PROXY, NO_PROXY: noProxy }) === PROXY;

describe('the proxy of the environment', () => {
  it.each([
    ['https://api', { HTTPS_PROXY: PROXY }, PROXY],
    ['https://api', { https_proxy: PROXY }, PROXY],
    ['https://api', { HTTPS_PROXY: 'proxy:3128' }, PROXY],
    ['https://api', { HTTP_PROXY: PROXY }, undefined],
    ['http://api', { HTTP_PROXY: PROXY }, PROXY],
    ['https://api', {}, undefined],
    ['https://api', { HTTPS_PROXY: '' }, undefined],
    ['https://api', { HTTPS_PROXY: PROXY, no_proxy: 'api' }, undefined],
    ['https://localhost:6443', { HTTPS_PROXY: PROXY }, undefined],
    ['https://127.0.0.1:6443', { HTTPS_PROXY: PROXY }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: PROXY }, undefined],
  ])('for %s with %j is %s', (server, env, proxy) => {
    expect(proxyOf(new URL(server), env)).toBe(proxy);
  });

  it.each([
    ['https://api.example.com', '*'],
    ['https://api.example.com', 'api.example.com'],
    ['https://api.example.com', 'example.com'],
    ['https://api.example.com', '.example.com'],
    ['https://api.example.com', '*.example.com'],
    ['https://API.example.com', ' other , EXAMPLE.com '],
    ['https://api.example.com:6443', 'example.com:6443'],
    ['https://api.example.com', 'example.com:443'],
    ['http://10.1.2.3', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.1.2.3'],
    ['https://[fd00::1]', 'fd00::/8'],
    ['https://[fd00::1]', 'fd00::1'],
  ])('is not asked for %s where NO_PROXY is %s', (server, noProxy) => {
    expect(proxied(server, noProxy)).toBe(false);
  });

  it.each([
    ['https://api.example.com', ''],
    ['https://api.example.com', 'ample.com'],
    ['https://example.com', '.example.com'],
    ['https://api.example.com', 'example.com:6443'],
    ['https://11.1.2.3', '10.0.0.0/8'],
    ['https://api.example.com', '10.0.0.0/8'],
    ['https://[fe00::1]', 'fd00::/8'],
  ])('is asked for %s where NO_PROXY is %s', (server, noProxy) => {
    expect(proxied(server, noProxy)).toBe(true);
  });
});
