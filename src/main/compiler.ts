import { setFlagsFromString } from 'node:v8';

/**
 * What V8 is told before a simulation: to put no function of more than a few instructions into another.
 *
 * Objects of a simulation get their keys in many orders, so code meets hidden classes that it was not compiled for until thousands of VMs
 * have been through it. What was put into others has then to be compiled again with each of them.
 */
export const SIMULATION_FLAGS = ['--max-inlined-bytecode-size-cumulative=0'];

/** For this process and all its threads, for what is compiled from now on. */
export function compileForSimulation(): void {
  for (const flag of SIMULATION_FLAGS) setFlagsFromString(flag);
}
