import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { multipart } from '../../../../../test/http/client.ts'
import { openTestServer } from '../../../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const owner = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' })
const user = await testServer.createUser()

const PAST = '2020-01-01T00:00:00Z'
const FUTURE = '2100-01-01T00:00:00Z'
const LONG = 'x'.repeat(100_001)

type Method = 'post' | 'put'

/** Requests below `/api/v1/admin/` that are invalid, with the parameter that is to blame. */
const CASES: readonly [method: Method, path: string, payload: object, parameter: string][] = [
  ['post', 'announcements', { text: ' ' }, 'text'],
  ['post', 'announcements', { text: LONG }, 'text'],
  ['post', 'announcements', { text: 'x', all_day: true }, 'starts_at'],
  ['post', 'announcements', { text: 'x', starts_at: FUTURE, ends_at: PAST }, 'ends_at'],
  ['post', 'announcements', { text: 'x', ends_at: PAST }, 'ends_at'],
  ['post', 'announcements', { text: 'x', scheduled_at: PAST }, 'scheduled_at'],
  ['post', 'announcements', { text: 'x', scheduled_at: FUTURE, ends_at: FUTURE }, 'scheduled_at'],
  ['post', 'rules', { text: ' ' }, 'text'],
  ['post', 'rules', { text: LONG }, 'text'],
  ['post', 'rules', { text: 'x', hint: LONG }, 'hint'],
  ['post', 'terms_of_service', { text: '', effective_date: '2100-01-01' }, 'text'],
  ['post', 'terms_of_service', { text: LONG, effective_date: '2100-01-01' }, 'text'],
  ['post', 'terms_of_service', { text: 'x', effective_date: '2100-02-30' }, 'effective_date'],
  ['post', 'settings/preview', { text: LONG }, 'text'],
  ['put', 'custom_emojis/categories', { name: 'x', new_name: ' ' }, 'new_name'],
  ['put', 'custom_emojis/categories', { name: 'x', new_name: LONG }, 'new_name'],
  ['put', 'retention_policy', { notifications_days: 40_000 }, 'notifications_days'],
  ['post', 'media/purge', { days: -1 }, 'days'],
  ['post', `accounts/${user.accountId}/action`, { type: 'none', text: LONG }, 'text'],
  ['put', `accounts/${user.accountId}/role`, { role_id: '4711' }, 'role_id'],
  [
    'post',
    `accounts/${user.accountId}/statuses/action`,
    { type: 'delete', status_ids: Array.from({ length: 101 }, () => '1') },
    'status_ids',
  ],
]

test('an error of the admin API names the invalid parameter', async () => {
  for (const [method, path, payload, parameter] of CASES) {
    const { status, body } = await owner.client[method](`/api/v1/admin/${path}`, payload)
    const request = `${path} ${JSON.stringify(payload).slice(0, 60)}`
    assert.equal(status, 422, request)
    assert.match(body.error, /^Validation failed: /, request)
    assert.deepEqual(Object.keys(body.details), [parameter], request)
    const [problem] = body.details[parameter]
    assert.equal(body.error, `Validation failed: ${problem.description}`)
  }
})

test('an error of the admin API names the parameter of an invalid image', async () => {
  for (const [method, path, fields] of [
    ['post', 'custom_emojis', { shortcode: 'bird' }],
    ['put', 'settings/thumbnail', {}],
  ] as const) {
    const image = { filename: 'image.gif', type: 'image/gif', bytes: Buffer.from('GIF89a') }
    const { payload, headers } = await multipart({ ...fields, image })
    const { status, body } = await owner.client[method](`/api/v1/admin/${path}`, payload, headers)
    assert.equal(status, 422, path)
    assert.deepEqual(Object.keys(body.details), ['image'], path)
  }
})
