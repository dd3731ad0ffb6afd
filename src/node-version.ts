const least = 24

/** What is wrong with a Node that is too old: the database drivers would crash in it without a word. */
export const tooOld = (version: string = process.versions.node): string | undefined =>
  Number.parseInt(version, 10) < least ? `Reticent needs Node ${least} or later, and this is ${version}` : undefined
