import { expect, it } from 'vitest';
import { runProgram } from './run-program.ts';

const node = (script: string, options = {}) => runProgram(process.execPath, ['-e', script], options);

it('gives what a program says, and the code that it ends with', async () => {
  expect(await node('console.log("out"); console.error("err"); process.exit(3)')).toEqual({
    code: 3,
    stdout: 'out\n',
    stderr: 'err\n',
  });
});

it('hands on what the program is to read, and its environment', async () => {
  const script = 'process.stdin.on("data", (text) => console.log(text + " " + process.env.GREETED))';
  expect(await node(script, { stdin: 'hello', env: { GREETED: 'world' } })).toMatchObject({
    code: 0,
    stdout: 'hello world\n',
  });
});

it('says why a program did not run', async () => {
  expect(await runProgram('/nonexistent/kubectl', ['version'])).toMatchObject({
    code: -1,
    stderr: expect.stringContaining('/nonexistent/kubectl'),
  });
});

it('ends a program that takes too long', async () => {
  expect(await node('setInterval(() => {}, 1000)', { timeoutSeconds: 0.3 })).toMatchObject({ code: -1 });
});
