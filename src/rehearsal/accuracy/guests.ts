/** What guests make of the power button. */
export const GUESTS = ['clean', 'ignores'] as const;
export type Guests = (typeof GUESTS)[number];
