import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, connect } from '../../src/client/index.ts'
import { createLedgerFor } from '../../src/index.ts'
import { addToken, jsonLog, type RunningServer, serve } from '../../src/server/index.ts'
import { people, policyText } from '../system/workspace.ts'

type Options = Omit<Parameters<typeof serve>[0], 'policies' | 'log' | 'port'>

/** What came back, whatever its status. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was said
  readonly json: any
}

/** A folder with one or more tables of people, each with a policy and a ledger, and a server for them. Nothing is mocked. */
export class Serving {
  readonly dir = mkdtempSync(join(tmpdir(), 'reticent-server-'))
  readonly policies: string[] = []
  /** Every line of the log, and every response that `request` has seen. */
  readonly log: string[] = []
  readonly responses: string[] = []
  #server: RunningServer | undefined

  /** Adds a data set: the policy's text may be changed, and its table given. */
  async table(name: string, change: (policy: string) => string = (same) => same, rows = people): Promise<this> {
    const policy = join(this.dir, `${name}.yaml`)
    writeFileSync(join(this.dir, `${name}.csv`), rows)
    writeFileSync(policy, change(policyText.replaceAll('people', name)))
    await createLedgerFor(policy)
    this.policies.push(policy)
    return this
  }
  async token(role: 'owner' | 'analyst', name?: string, policies = this.policies): Promise<string> {
    const [issued] = await addToken({ policies, role, ...(name !== undefined && { name }) })
    return issued!.token
  }
  async start(options: Options = {}): Promise<this> {
    const log = jsonLog((line) => this.log.push(line))
    // A thread that nobody asks need not read all sources.
    this.#server = await serve({ policies: this.policies, port: 0, rate: 0, warm: false, ...options, log })
    return this
  }
  async stop(): Promise<void> {
    await this.#server?.close()
    this.#server = undefined
  }
  get url(): string {
    return this.#server!.url
  }
  client(token?: string): Client {
    return connect({ url: this.url, ...(token !== undefined && { token }) })
  }

  /** A request as anybody may send it: a body that is no string is sent as JSON. */
  async request(
    path: string,
    { token, body, method = body === undefined ? 'GET' : 'POST', headers = {} }: RequestShape = {},
  ): Promise<Reply> {
    const isText = typeof body === 'string'
    const response = await fetch(`${this.url}${path}`, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    this.responses.push(text)
    return {
      status: response.status,
      headers: response.headers,
      text,
      get json() {
        return JSON.parse(text)
      },
    }
  }
}

interface RequestShape {
  readonly token?: string
  readonly body?: unknown
  readonly method?: string
  readonly headers?: Record<string, string>
}
