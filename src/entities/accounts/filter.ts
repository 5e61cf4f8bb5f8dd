import { type Static, Type } from 'typebox'
import { Id } from '../schema/id.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { ref } from '../schema/ref.ts'
import { DateTime } from '../schema/time.ts'

export const FilterContext = oneOf(['home', 'notifications', 'public', 'thread', 'account'])
export type FilterContext = Static<typeof FilterContext>
export const FilterAction = oneOf(['warn', 'hide', 'blur'])

export const FilterKeyword = Type.Object(
  { id: Id, keyword: Type.String(), whole_word: Type.Boolean() },
  { $id: 'FilterKeyword' },
)
export type FilterKeyword = Static<typeof FilterKeyword>

export const FilterStatus = Type.Object({ id: Id, status_id: Id }, { $id: 'FilterStatus' })
export type FilterStatus = Static<typeof FilterStatus>

export const Filter = Type.Object(
  {
    id: Id,
    title: Type.String(),
    context: Type.Array(FilterContext),
    expires_at: nullable(DateTime),
    filter_action: FilterAction,
    keywords: Type.Optional(Type.Array(ref(FilterKeyword), { description: 'Absent in a `FilterResult`.' })),
    statuses: Type.Optional(Type.Array(ref(FilterStatus), { description: 'Absent in a `FilterResult`.' })),
  },
  { $id: 'Filter' },
)
export type Filter = Static<typeof Filter>

export const FilterResult = Type.Object(
  {
    filter: ref(Filter),
    keyword_matches: nullable(Type.Array(Type.String()), { description: 'The first match only.' }),
    status_matches: nullable(Type.Array(Id)),
  },
  { $id: 'FilterResult', description: 'A filter of the caller that matches the status.' },
)
export type FilterResult = Static<typeof FilterResult>

export const V1Filter = Type.Object(
  {
    id: Type.With(Id, { description: 'Id of the keyword.' }),
    phrase: Type.String(),
    context: Type.Array(FilterContext),
    whole_word: Type.Boolean(),
    expires_at: nullable(DateTime),
    irreversible: Type.Boolean({ description: 'Matching statuses are removed instead of collapsed.' }),
  },
  { $id: 'V1Filter', deprecated: true },
)
export type V1Filter = Static<typeof V1Filter>
