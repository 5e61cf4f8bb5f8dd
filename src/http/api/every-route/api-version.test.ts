import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { readApiDocument } from '../../../../test/http/entities/api-document.ts'
import type { Operation, JsonSchema } from '../../../../test/http/entities/api-document.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { Instance } from '../../../entities/instance/instance.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { document, routes } = await readApiDocument(testServer)
const operations = new Map(routes.map(({ key, operation }) => [key, operation]))

const PROFILE_IMAGE_PARAMS = ['avatar_description', 'header_description']
const COLLECTIONS = '/api/v1/collections'

/** The routes and new parameters of each of Mastodon's API levels (`api_versions.mastodon`). */
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
  9: { 'PATCH /api/v1/profile': PROFILE_IMAGE_PARAMS },
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
  11: { 'PATCH /api/v1/accounts/update_credentials': PROFILE_IMAGE_PARAMS },
}

/** Returns the names of a route's parameters and fields; for each value of an enum also `name=value`. */
function namesOf({ parameters = [], requestBody }: Operation): Set<string> {
  const fields = Object.values(requestBody?.content ?? {})[0]?.schema.properties ?? {}
  const enumNames = Object.entries(fields).flatMap(([name, schema]) =>
    enumValuesOf(schema).map((value) => `${name}=${String(value)}`),
  )
  return new Set([...parameters.map(({ name }) => name), ...Object.keys(fields), ...enumNames])
}

const enumValuesOf = ({ enum: values = [], anyOf = [] }: JsonSchema): unknown[] => [
  ...values,
  ...anyOf.map((option) => option.const),
]

test('the server has every route and parameter of the API level that it announces', async () => {
  const { body } = await testServer.anonymous.get<Instance>('/api/v2/instance')
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
  const { properties } = document.components.schemas['Account'] as JsonSchema
  for (const name of PROFILE_IMAGE_PARAMS) assert.ok(properties?.[name], name)
})
