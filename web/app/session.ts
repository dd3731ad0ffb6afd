import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { BudgetResponse, Client, DatasetDescription, RemoteDataset } from '../../src/client/index.ts'

/** What every page may use: who asks, which data set is open, and what is left of its budget. */
export interface Session {
  readonly client: Client
  readonly dataset: RemoteDataset
  readonly description: DatasetDescription
  /** Undefined until it has come for the first time. */
  readonly budget: BudgetResponse | undefined
  /** After a purchase: asks for the budget again. */
  readonly refreshBudget: () => void
  /** What the question being typed would add to what is spent; shown on the ribbon. */
  readonly setGhost: (ghost: Ghost | undefined) => void
  /** On whose behalf an owner asks, where the policy names analysts. */
  readonly as: string | undefined
  /** Parameters that keep this data set in a link, where there are several. */
  readonly place: { readonly dataset?: string }
}
export interface Ghost {
  readonly epsilon: number
  readonly affordable: boolean
}

export const SessionContext = createContext<Session | undefined>(undefined)

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('no session')
  return session
}
