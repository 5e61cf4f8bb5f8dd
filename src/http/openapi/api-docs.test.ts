// Slow: drives a browser.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { validate } from '@scalar/openapi-parser'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { ROUTE_POLICIES } from '../route-policies.ts'
import { openSharedBrowser, withoutChromium } from '../../../test/services/browser.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

interface Operation {
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  requestBody?: { required: boolean; content: Record<string, unknown> }
}

/** Returns all operations of the document, by the keys of their route policies. */
async function readOperations(): Promise<Map<string, Operation>> {
  const { body } = await testServer.anonymous.get<{ paths: Record<string, Record<string, Operation>> }>(
    '/api/openapi.json',
  )
  const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, operation] as const,
    ),
  )
  return new Map(operations)
}

test('the description of the API is a valid OpenAPI 3.1 document', async () => {
  const { status, headers, body } = await testServer.anonymous.get('/api/openapi.json')
  assert.deepEqual([status, headers['content-type'], body.openapi], [200, 'application/json; charset=utf-8', '3.1.0'])
  assert.equal(headers['cache-control'], 'public, max-age=300')
  const { valid, errors } = await validate(body)
  assert.deepEqual([valid, errors], [true, []])
})

test('the description contains all API routes, with a summary and a tag, and no pages', async () => {
  const operations = await readOperations()
  for (const [row, { caller, cache }] of Object.entries(ROUTE_POLICIES)) {
    const isPage = caller === 'page'
    const described = /^\w+ \/(api\/v(?!1\/streaming)|oauth\/)/.test(row) && !isPage && cache !== 'file'
    if (described || isPage) assert.equal(operations.has(row), described, row)
  }
  for (const [row, { summary, tags }] of operations) assert.ok(summary && tags?.length === 1, row)
})

test('the description requires the scopes of the route policies', async () => {
  const operations = await readOperations()
  for (const [row, { security }] of operations) {
    const { caller, scopes } = ROUTE_POLICIES[row]!
    const scopesInDocument = (security ?? []).flatMap((alternative) => alternative['token'] ?? [])
    assert.deepEqual(scopesInDocument, caller === 'open' ? [] : scopes, row)
    assert.equal(
      (security ?? []).some((alternative) => Object.keys(alternative).length === 0),
      caller === 'optional',
      row,
    )
  }
  assert.deepEqual(operations.get('GET /api/v1/statuses/:id')?.security, [{}, { token: ['read:statuses'] }])
})

test('a body without required fields is optional, and files are sent as multipart', async () => {
  const operations = await readOperations()
  assert.equal(operations.get('DELETE /api/v1/statuses/:id')?.requestBody?.required, false)
  assert.deepEqual(Object.keys(operations.get('POST /api/v2/media')?.requestBody?.content ?? {}), [
    'multipart/form-data',
  ])
})

test('only the page of the API may run a script, and only that of this server', async () => {
  const { headers } = await testServer.anonymous.get('/api/docs')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'.*script-src 'self';.*connect-src 'self'/)
  assert.doesNotMatch(policy, /script-src[^;]*unsafe|https?:/)
  assert.doesNotMatch(
    String((await testServer.anonymous.get('/health')).headers['content-security-policy']),
    /script-src/,
  )
})

test(
  'the page of the API works in a browser, and sends no requests to other servers',
  { skip: withoutChromium },
  async (t) => {
    const origin = await testServer.listen()
    const browser = await openSharedBrowser()
    t.after(() => browser.close())
    const page = await browser.newPage()
    const requested: string[] = []
    const errors: string[] = []
    page.on('request', (request) => requested.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
    page.on('pageerror', (err) => errors.push(err.message))
    await page.goto(`${origin}/api/docs`)
    await page.getByRole('heading', { name: 'Linnet' }).waitFor()
    await page.getByRole('button', { name: 'timelines' }).first().click()
    await page.getByText('View your home timeline').first().click()
    await page.getByText('/api/v1/timelines/home').first().waitFor()
    // The headless shell never reports an idle network, so the page is finished when its scripts have nothing to do.
    await page.evaluate('new Promise((resolve) => requestIdleCallback(() => resolve(null)))')
    assert.ok(requested.includes(`${origin}/api/openapi.json`))
    assert.deepEqual(
      requested.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)),
      [],
    )
    assert.deepEqual(errors, [])
  },
)
