/** What every command can be told. */
export interface GlobalOptions {
  policy: string
  json: boolean
}
