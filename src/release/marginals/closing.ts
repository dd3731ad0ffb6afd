/**
 * Closes what was opened, even if the work on it fails: what has been revealed is recorded and charged, and the rest of
 * the reserved ε is given back. If closing fails as well, all of it stays spent.
 */
export async function closing<Receipt>(
  opened: { close(): Promise<Receipt> },
  work: () => Promise<void>,
): Promise<Receipt> {
  try {
    await work()
  } catch (error) {
    await opened.close().catch(() => undefined)
    throw error
  }
  return opened.close()
}
