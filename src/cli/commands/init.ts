export async function init(..._: unknown[]): Promise<void> {}
