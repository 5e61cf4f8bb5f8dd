import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readApi } from '../../test/api-document.ts'
import type { Operation, Shape } from '../../test/api-document.ts'
import { openWorld } from '../../test/world.ts'
import type { Instance } from '../entities/instance.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { document, routes } = await readApi(world)
const operations = new Map(routes.map(({ key, operation }) => [key, operation]))

const PROFILE_PICTURES = ['avatar_description', 'header_description']
const COLLECTIONS = '/api/v1/collections'

/** What came with each of Mastodon's levels: routes, and what they take anew. */
const LEVELS: Record<number, Record<string, readonly string[]>> = {
  2: {
    'GET /api/v2/notifications': ['grouped_types[]', 'expand_accounts'],
    'GET /api/v2/notifications/unread_count': [],
    'GET /api/v2/notifications/{group_key}': [],
    'GET /api/v2/notifications/{group_key}/accounts': [],
    'POST /api/v2/notifications/{group_key}/dismiss': [],
  },
  3: { 'PATCH /api/v1/accounts/update_credentials': ['attribution_domains'] },
  4: { 'DELETE /api/v1/statuses/{id}': ['delete_media'], 'DELETE /api/v1/media/{id}': [] },
  5: { 'POST /api/v2/filters': ['filter_action=blur'], 'PUT /api/v2/filters/{id}': ['filter_action=blur'] },
  6: {
    'GET /api/v1/instance/terms_of_service': [],
    'GET /api/v1/instance/terms_of_service/{date}': [],
    'GET /api/v1/accounts/{id}/endorsements': [],
    'POST /api/v1/accounts/{id}/endorse': [],
    'POST /api/v1/accounts/{id}/unendorse': [],
  },
  7: {
    'POST /api/v1/statuses': ['quoted_status_id', 'quote_approval_policy'],
    'PUT /api/v1/statuses/{id}': ['quote_approval_policy'],
    'PUT /api/v1/statuses/{id}/interaction_policy': ['quote_approval_policy'],
    'GET /api/v1/statuses/{id}/quotes': [],
    'POST /api/v1/statuses/{id}/quotes/{quoting_status_id}/revoke': [],
  },
  8: {
    'GET /api/v1/profile': [],
    'PATCH /api/v1/profile': ['display_name', 'note'],
    'GET /api/v1/annual_reports/{year}/state': [],
    'POST /api/v1/annual_reports/{year}/generate': [],
  },
  9: { 'PATCH /api/v1/profile': PROFILE_PICTURES },
  10: {
    [`POST ${COLLECTIONS}`]: [
      'name',
      'description',
      'language',
      'sensitive',
      'discoverable',
      'tag_name',
      'account_ids',
    ],
    [`GET ${COLLECTIONS}/{id}`]: [],
    [`PATCH ${COLLECTIONS}/{id}`]: ['name'],
    [`DELETE ${COLLECTIONS}/{id}`]: [],
    [`POST ${COLLECTIONS}/{id}/items`]: ['account_id'],
    [`DELETE ${COLLECTIONS}/{id}/items/{item}`]: [],
    [`POST ${COLLECTIONS}/{id}/items/{item}/revoke`]: [],
    'GET /api/v1/accounts/{id}/collections': ['limit', 'offset'],
    'GET /api/v1/accounts/{id}/in_collections': ['limit', 'offset'],
    'GET /api/v1/notifications': ['supported_types[]'],
    'GET /api/v1/notifications/{id}': ['supported_types[]'],
    'GET /api/v2/notifications': ['supported_types[]'],
    'GET /api/v2/notifications/{group_key}': ['supported_types[]'],
  },
  11: { 'PATCH /api/v1/accounts/update_credentials': PROFILE_PICTURES },
}

/** The names of what a route takes; of a word out of a list also `name=word`. */
function namesOf({ parameters = [], requestBody }: Operation): Set<string> {
  const fields = Object.values(requestBody?.content ?? {})[0]?.schema.properties ?? {}
  const words = Object.entries(fields).flatMap(([name, shape]) =>
    wordsOf(shape).map((word) => `${name}=${String(word)}`),
  )
  return new Set([...parameters.map(({ name }) => name), ...Object.keys(fields), ...words])
}

const wordsOf = ({ enum: words = [], anyOf = [] }: Shape): unknown[] => [...words, ...anyOf.map((one) => one.const)]

test('the level of the API that the server names is one of which everything is there', async () => {
  const { body } = await world.anonymous.get<Instance>('/api/v2/instance')
  assert.equal(body.api_versions.mastodon, Math.max(...Object.keys(LEVELS).map(Number)))
  for (const [level, keys] of Object.entries(LEVELS)) {
    for (const [key, names] of Object.entries(keys)) {
      const operation = operations.get(key)
      assert.ok(operation, `${key} of level ${level}`)
      const known = namesOf(operation)
      assert.deepEqual(
        names.filter((name) => !known.has(name)),
        [],
        `${key} of level ${level}`,
      )
    }
  }
  const { properties } = document.components.schemas['Account'] as Shape
  for (const name of PROFILE_PICTURES) assert.ok(properties?.[name], name)
})
