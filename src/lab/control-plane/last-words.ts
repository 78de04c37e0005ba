/** Errors of Kubernetes' programs begin with a letter and the date, those of etcd are objects. */
const ERROR = /^[EF]\d{4} |^\{"level":"(?:error|fatal|panic)"/;
const LOOKED_AT = 40;
const SHOWN = 3;
const LONGEST = 1_000;

/** What a part of a control plane said before it ended: its last errors, without the stacks that follow them; its last lines where there are none. */
export function lastWords(log: string): string {
  const lines = log.trim().split('\n').slice(-LOOKED_AT);
  const errors = lines.filter((line) => ERROR.test(line));
  const told = errors.length > 0 ? errors : lines;
  return told.slice(-SHOWN).map(readable).join('; ').slice(-LONGEST);
}

/** An object of etcd's log in words, also one that a full disk has cut off. */
function readable(line: string): string {
  const [, said] = /"msg":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
  if (!line.startsWith('{') || said === undefined) return line;
  const [, error] = /"error":"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
  return error === undefined ? said : `${said}: ${error}`;
}
