import { expect, it } from 'vitest';
import { lastWords } from './last-words.ts';

it('etcd on a full disk says so, without its stack', () => {
  const log = [
    '{"level":"info","ts":"2026-11-30T18:44:52Z","msg":"opened backend db"}',
    '{"level":"panic","msg":"failed to create WAL","error":"write 0.wal: no space left on device","stacktrace":"main.main\\n\\tmain.go:10"}',
    'panic: failed to create WAL',
    '',
    'goroutine 1 [running]:',
    'go.uber.org/zap/zapcore.(*CheckedEntry).Write(0x1a8)',
    '\tgo.uber.org/zap/entry.go:196 +0x54',
  ];
  expect(lastWords(log.join('\n'))).toBe('failed to create WAL: write 0.wal: no space left on device');
});

it('an error of which a full disk has kept the end is readable, too', () => {
  const cut =
    '{"level":"fatal","msg":"failed to commit tx","error":"write db: no space left on device","stack';
  expect(lastWords(`ready\n${cut}`)).toBe('failed to commit tx: write db: no space left on device');
});

it('kube-apiserver on a port that is taken says so', () => {
  const failed =
    'E1130 18:44:52.877609    4425 run.go:72] "command failed" err="listen tcp 127.0.0.1:16443: bind: address already in use"';
  expect(lastWords(`I1130 18:44:52.877190    4425 server.go:150] Version: v1.36.3\n${failed}\n`)).toBe(
    failed,
  );
});

it('who tells of no error is quoted with the last lines', () => {
  expect(lastWords('a\nb\nc\nd\n')).toBe('b; c; d');
});

it('errors of long ago are not what it said last', () => {
  expect(
    lastWords(['E1130 18:00 old', ...Array.from({ length: 60 }, (_, i) => `line ${i}`)].join('\n')),
  ).toBe('line 57; line 58; line 59');
});
