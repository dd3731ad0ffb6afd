import type { Universe } from '../../schema/index.ts'
import { ChoosingHistory } from './choosing-history.ts'
import type { History, HistoryOptions } from './history.ts'
import { WholeHistory } from './whole-history.ts'

/** A history without answers. */
export const openHistory = (universe: Universe, options: HistoryOptions): History =>
  options.isWhole ? new WholeHistory(universe, options) : new ChoosingHistory(universe, options)
