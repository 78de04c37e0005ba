/** A migration object to be created; the API server completes the name. */
export interface MigrationDraft {
  readonly generateName: string;
  readonly namespace: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec: { readonly vmiName: string; readonly priority?: string };
}
