/** Takes back what was done, the last first, and all of it: what fails does not keep the rest. Rejects with the first failure. */
export async function undoAll(steps: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const step of steps.splice(0).reverse()) {
    try {
      await step();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
