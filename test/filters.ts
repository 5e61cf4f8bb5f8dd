import assert from 'node:assert/strict'
import type { Filter, FilterKeyword } from '../src/entities/filter.ts'
import { assertOnWire } from './wire.ts'
import type { Person } from './world.ts'
import type { BuilderCtx } from './query-builder.ts'

export const FILTERS = '/api/v2/filters'

/** A filter of this person; by default for the home timeline, and without keywords. */
export async function makeFilter(person: Person, traits: object = {}): Promise<Filter & { keywords: FilterKeyword[] }> {
  const { status, body } = await person.client.post(FILTERS, { title: 'cats', context: ['home'], ...traits })
  assert.equal(status, 200, JSON.stringify(body))
  assertOnWire('Filter', body)
  return body
}

/** Its keywords, and whether they are whole words. */
export function wordsOf({ keywords = [] }: Filter): [string, boolean][] {
  return keywords.map((one) => [one.keyword, one.whole_word])
}

/** How often this person's filters have changed. */
export async function filtersVersionOf(ctx: BuilderCtx, { accountId }: Person): Promise<number> {
  const { filters_version } = await ctx.db
    .selectFrom('users')
    .select('filters_version')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return filters_version
}
