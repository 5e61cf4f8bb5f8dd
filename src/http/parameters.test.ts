import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSmallWorld, queryOf } from '../../test/small-world.ts'

const { world, routes, call, fill, wishes } = await openSmallWorld()
after(world.close)

const LISTS = routes.filter(
  ({ method, operation }) => method === 'GET' && operation.parameters?.some(({ name }) => name === 'limit'),
)

test('BI1 no id in any path can be anything but an id', async () => {
  const withIds = routes.filter(({ operation }) => operation.parameters?.some(({ schema }) => schema['x-id']))
  assert.ok(withIds.length > 10)
  for (const { key, method, path } of withIds) {
    for (const id of ['-1', '9223372036854775808', '1.0', '%00', '%EF%BC%91', 'x']) {
      const { status, text: body } = await call(method, path.replace(/\{[^}]+\}/g, id))
      assert.deepEqual([status, body], [404, '{"error":"Record not found"}'], `${key} with ${id}`)
    }
  }
})

test('BI2 every list takes every limit, offset and cursor, and its links lead on', async () => {
  const odd = ['-1', '0', '1000000000', '5x', '', '%00', '%EF%BC%91', '1e400', '99999999999999999999']
  const queries = [
    ...odd.map((value) => `limit=${value}`),
    ...odd.map((value) => `offset=${value}`),
    ...odd.map((value) => `max_id=${value}&since_id=${value}&min_id=${value}`),
    'limit[]=1&limit[]=2',
    'limit[x]=1&max_id[]=1',
    'limit=1&max_id=9223372036854775807&min_id=1',
    'limit=1&max_id=1&min_id=9223372036854775807',
  ]
  assert.ok(LISTS.length > 5)
  for (const { key, path, operation } of LISTS) {
    const base = (await fill(path)) + (queryOf(operation, wishes) || '?')
    for (const query of queries) {
      const { status, json, link } = await call('GET', `${base}&${query}`)
      assert.ok(status < 500, `${key} fails for ${query}`)
      if (Array.isArray(json)) assert.ok(json.length <= 200, `${key} gives ${json.length} for ${query}`)
      for (const [, next] of link.matchAll(/<([^>]+)>/g)) {
        assert.ok(next!.startsWith(`${world.ctx.config.origin}/api/`), `${key} links to ${next}`)
      }
    }
    const { link } = await call('GET', `${base}&limit=1`)
    for (const [, next] of link.matchAll(/<([^>]+)>/g)) {
      const { status } = await call('GET', next!.slice(world.ctx.config.origin.length))
      assert.equal(status, 200, `${key}: ${next}`)
    }
  }
})

test('BI3 a list in a query may be sent as one, as several, by number, or by the thousand', async () => {
  const withLists = routes.filter(
    ({ method, operation }) => method === 'GET' && operation.parameters?.some(({ name }) => name.endsWith('[]')),
  )
  assert.ok(withLists.length > 2)
  for (const { key, path, operation } of withLists) {
    const url = await fill(path)
    for (const { name } of operation.parameters!.filter((one) => one.name.endsWith('[]'))) {
      const plain = name.slice(0, -2)
      const value = wishes[name] ?? 'mention'
      const same = [`${plain}=${value}`, `${name}=${value}`, `${plain}[0]=${value}`, `${plain}[x]=${value}`]
      const answers = await Promise.all(same.map(async (query) => (await call('GET', `${url}?${query}`)).text))
      assert.equal(new Set(answers).size, 1, `${key}: ${name}`)
      for (const query of [
        `${name}=`,
        `${plain}=`,
        `${plain}[x][y]=1`,
        Array.from({ length: 5_000 }, () => `${name}=1`).join('&'),
      ]) {
        const { status } = await call('GET', `${url}?${query}`)
        assert.ok(status < 500, `${key} fails for ${query.slice(0, 50)}`)
      }
    }
  }
})
