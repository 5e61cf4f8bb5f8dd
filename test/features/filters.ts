import assert from 'node:assert/strict'
import type { Filter, FilterKeyword } from '../../src/entities/accounts/filter.ts'
import { assertEntity } from '../http/entities/entity-schemas.ts'
import type { TestUser } from '../servers/test-server.ts'
import type { BuilderCtx } from '../query-builder.ts'

export const FILTERS = '/api/v2/filters'

/** Creates a filter of this user; by default for the home timeline and without keywords. */
export async function createFilter(
  user: TestUser,
  options: object = {},
): Promise<Filter & { keywords: FilterKeyword[] }> {
  const { status, body } = await user.client.post(FILTERS, { title: 'cats', context: ['home'], ...options })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('Filter', body)
  return body
}

/** Returns the keywords of a filter, each with whether it matches whole words only. */
export function keywordsOf({ keywords = [] }: Filter): [string, boolean][] {
  return keywords.map((one) => [one.keyword, one.whole_word])
}

/** Returns the version of the user's filters, which each change increments. */
export async function filtersVersionOf(ctx: BuilderCtx, { accountId }: TestUser): Promise<number> {
  const { filters_version } = await ctx.db
    .selectFrom('users')
    .select('filters_version')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return filters_version
}
