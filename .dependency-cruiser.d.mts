export const RINGS: Readonly<Record<string, readonly string[]>>;
export const PURE: readonly string[];
