export async function refuseUnreadable(_policyFile: string): Promise<void> {}
export async function check(..._: unknown[]): Promise<number> {
  return 0
}
