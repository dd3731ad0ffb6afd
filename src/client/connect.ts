import type { DatasetSummary, IssuedToken, Me, NewToken, Token } from '../server/api/index.ts'
import { RemoteDataset } from './remote-dataset.ts'
import { type Connection, type RequestOptions, Transport } from './transport.ts'

/** A server that answers questions. */
export class Client {
  readonly #transport: Transport

  constructor(connection: Connection) {
    this.#transport = new Transport(connection)
  }

  /** Who the token says one is. */
  me(options?: RequestOptions): Promise<Me> {
    return this.#transport.json('GET', '/api/me', undefined, options)
  }
  async datasets(options?: RequestOptions): Promise<DatasetSummary[]> {
    return (await this.#transport.json<{ datasets: DatasetSummary[] }>('GET', '/api/datasets', undefined, options))
      .datasets
  }
  dataset(name: string): RemoteDataset {
    return new RemoteDataset(name, this.#transport)
  }

  /** For owners. */
  async tokens(options?: RequestOptions): Promise<Token[]> {
    return (await this.#transport.json<{ tokens: Token[] }>('GET', '/api/tokens', undefined, options)).tokens
  }
  addToken(token: NewToken, options?: RequestOptions): Promise<IssuedToken> {
    return this.#transport.json('POST', '/api/tokens', token, options)
  }
  revokeToken(id: string, options?: RequestOptions): Promise<void> {
    return this.#transport.json('DELETE', `/api/tokens/${encodeURIComponent(id)}`, undefined, options)
  }
}

/**
 * Speaks to a server that runs `reticent serve`, from a browser or from Node.
 *
 *     const server = connect({ url: 'https://data.example.org', token })
 *     const answer = await server.dataset('census').ask({ sql: 'SELECT COUNT(*) FROM census', within: 100 })
 */
export const connect = (connection: Connection = {}): Client => new Client(connection)
