/**
 * Closes what was opened, also where the work on it fails: what has been shown is recorded and charged, and the rest of the
 * reserved ε is given back. Where it cannot even close, all of it stays spent.
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
