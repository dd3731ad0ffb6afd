import type { AskResponse, ImproveResponse } from '../../src/client/index.ts'

/** One column of an answer, as the library gives it. */
export type Column = ImproveResponse['before'][number]
export type GroupedColumn = Extract<Column, { readonly groups: unknown }>
export type NumberColumn = Exclude<Column, GroupedColumn>
export type Group = GroupedColumn['groups'][number]
export type Key = Group['key'][string]
/** An answer with intervals: not a model's. */
export type Answer = Exclude<AskResponse, { readonly kind: 'model' }>

/** The columns of an answer, be it one or several. */
export const columnsOf = (answer: Answer): readonly Column[] => ('answers' in answer ? answer.answers : [answer])

export const isGrouped = (column: Column): column is GroupedColumn => 'groups' in column

/** A key as text. */
export const keyText = (key: Key | undefined): string => (key === null || key === undefined ? 'missing' : String(key))
