import type {
  AskRequest,
  AskResponse,
  AttributeValues,
  BudgetResponse,
  CheckResponse,
  Curve,
  CurveRequest,
  DatasetDescription,
  History,
  ImproveRequest,
  ImproveResponse,
  Job,
  JobPlan,
  JobRequest,
  JobTables,
  LedgerExport,
  PlanRequest,
  PlanResponse,
  VerifyResponse,
} from '../server/api/index.ts'
import { eventsIn } from './events.ts'
import type { RequestOptions, Transport } from './transport.ts'

/** Which of an attribute's values are wanted. */
export interface ValuesWanted extends RequestOptions {
  /** Those that contain this, whatever their case. */
  readonly search?: string
  readonly offset?: number
  readonly limit?: number
}

/** One data set of a server. */
export class RemoteDataset {
  readonly name: string
  readonly #transport: Transport
  readonly #path: string

  constructor(name: string, transport: Transport) {
    this.name = name
    this.#transport = transport
    this.#path = `/api/datasets/${encodeURIComponent(name)}`
  }

  /** What may be asked about, and what is promised. */
  describe(options?: RequestOptions): Promise<DatasetDescription> {
    return this.#get('', options)
  }
  values(attribute: string, { search, offset, limit, signal }: ValuesWanted = {}): Promise<AttributeValues> {
    const wanted = Object.entries({ search, offset, limit }).filter(([, value]) => value !== undefined)
    const query = new URLSearchParams(Object.fromEntries(wanted.map(([name, value]) => [name, String(value)])))
    return this.#get(`/attributes/${encodeURIComponent(attribute)}/values?${query}`, { signal })
  }

  /** What a question would cost and how precise it would be. */
  plan(request: PlanRequest, options?: RequestOptions): Promise<PlanResponse> {
    return this.#post('/plan', request, options)
  }
  /** The price of a question at a dozen precisions. */
  curve(request: CurveRequest, options?: RequestOptions): Promise<Curve> {
    return this.#post('/curve', request, options)
  }
  /** Asks, and pays where that is needed. Throws a ServerRefusal, with the free answer in it where there is one. */
  ask(request: AskRequest, options?: RequestOptions): Promise<AskResponse> {
    return this.#post('/ask', request, options)
  }

  history(options?: RequestOptions): Promise<History> {
    return this.#get('/history', options)
  }
  /** What a purchase said then, and what everything released says about it now. */
  improve(number: number, request: ImproveRequest = {}, options?: RequestOptions): Promise<ImproveResponse> {
    return this.#post(`/history/${number}/improve`, request, options)
  }
  budget(options?: RequestOptions): Promise<BudgetResponse> {
    return this.#get('/budget', options)
  }

  /** What a release or a synthetic table would cost. */
  planJob(request: JobRequest, options?: RequestOptions): Promise<JobPlan> {
    return this.#post('/jobs/plan', request, options)
  }
  startJob(request: JobRequest, options?: RequestOptions): Promise<Job> {
    return this.#post('/jobs', request, options)
  }
  async jobs(options?: RequestOptions): Promise<Job[]> {
    return (await this.#get<{ jobs: Job[] }>('/jobs', options)).jobs
  }
  job(id: string, options?: RequestOptions): Promise<Job> {
    return this.#get(`/jobs/${encodeURIComponent(id)}`, options)
  }
  /** The job as it goes on, until it has ended. */
  async *follow(id: string, options?: RequestOptions): AsyncGenerator<Job> {
    const path = `${this.#path}/jobs/${encodeURIComponent(id)}/events`
    const response = await this.#transport.response('GET', path, undefined, options)
    for await (const data of eventsIn(response)) yield JSON.parse(data) as Job
  }
  /** Stops it where it is; what it has spent stays spent. */
  cancelJob(id: string, options?: RequestOptions): Promise<Job> {
    return this.#transport.json('DELETE', `${this.#path}/jobs/${encodeURIComponent(id)}`, undefined, options)
  }
  /** Deletes the files of a job that has ended. */
  deleteJobFiles(id: string, options?: RequestOptions): Promise<Job> {
    return this.#transport.json('DELETE', `${this.#path}/jobs/${encodeURIComponent(id)}/files`, undefined, options)
  }
  /** Its tables, for charts. */
  tables(id: string, options?: RequestOptions): Promise<JobTables> {
    return this.#get(`/jobs/${encodeURIComponent(id)}/tables`, options)
  }
  async file(id: string, name: string, options?: RequestOptions): Promise<Blob> {
    const path = `${this.#path}/jobs/${encodeURIComponent(id)}/files/${encodeURIComponent(name)}`
    return (await this.#transport.response('GET', path, undefined, options)).blob()
  }

  /** For the owner: is everything in order? */
  check(options?: RequestOptions): Promise<CheckResponse> {
    return this.#get('/check', options)
  }
  exportLedger(options?: RequestOptions): Promise<LedgerExport> {
    return this.#get('/ledger/export', options)
  }
  verifyLedger(receipt?: string, options?: RequestOptions): Promise<VerifyResponse> {
    return this.#post('/ledger/verify', receipt === undefined ? {} : { receipt }, options)
  }

  #get<T>(path: string, options?: RequestOptions): Promise<T> {
    return this.#transport.json('GET', `${this.#path}${path}`, undefined, options)
  }
  #post<T>(path: string, body: unknown, options?: RequestOptions): Promise<T> {
    return this.#transport.json('POST', `${this.#path}${path}`, body, options)
  }
}
