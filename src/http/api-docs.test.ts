// Slow: drives a browser.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, test } from 'node:test'
import { validate } from '@scalar/openapi-parser'
import { chromium } from 'playwright-core'
import { openWorld } from '../../test/world.ts'
import { ACCESS } from './access.ts'

const CHROMIUM = '/usr/bin/chromium'

const world = await openWorld({ effects: false })
after(world.close)

interface Operation {
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  requestBody?: { required: boolean; content: Record<string, unknown> }
}

/** Every operation of the document under its row in the table of authorisation. */
async function readOperations(): Promise<Map<string, Operation>> {
  const { body } = await world.anonymous.get<{ paths: Record<string, Record<string, Operation>> }>('/api/openapi.json')
  const operations = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, operation] as const,
    ),
  )
  return new Map(operations)
}

test('the description of the API is a valid OpenAPI 3.1 document', async () => {
  const { status, headers, body } = await world.anonymous.get('/api/openapi.json')
  assert.deepEqual([status, headers['content-type'], body.openapi], [200, 'application/json; charset=utf-8', '3.1.0'])
  assert.equal(headers['cache-control'], 'public, max-age=300')
  const { valid, errors } = await validate(body)
  assert.deepEqual([valid, errors], [true, []])
})

test('the description has every route for programs, with a summary and a tag, and no page', async () => {
  const operations = await readOperations()
  for (const [row, { caller, cache }] of Object.entries(ACCESS)) {
    const isPage = caller === 'page'
    const described = /^\w+ \/(api\/v(?!1\/streaming)|oauth\/)/.test(row) && !isPage && cache !== 'file'
    if (described || isPage) assert.equal(operations.has(row), described, row)
  }
  for (const [row, { summary, tags }] of operations) assert.ok(summary && tags?.length === 1, row)
})

test('the description asks for the scopes that the table of authorisation asks for', async () => {
  const operations = await readOperations()
  for (const [row, { security }] of operations) {
    const { caller, scopes } = ACCESS[row]!
    const asked = (security ?? []).flatMap((way) => way['token'] ?? [])
    assert.deepEqual(asked, caller === 'open' ? [] : scopes, row)
    assert.equal(
      (security ?? []).some((way) => Object.keys(way).length === 0),
      caller === 'optional',
      row,
    )
  }
  assert.deepEqual(operations.get('GET /api/v1/statuses/:id')?.security, [{}, { token: ['read:statuses'] }])
})

test('a body that may be left out is not asked for, and files are sent as multipart', async () => {
  const operations = await readOperations()
  assert.equal(operations.get('DELETE /api/v1/statuses/:id')?.requestBody?.required, false)
  assert.deepEqual(Object.keys(operations.get('POST /api/v2/media')?.requestBody?.content ?? {}), [
    'multipart/form-data',
  ])
})

test('only the page of the API may run a script, and only the one from here', async () => {
  const { headers } = await world.anonymous.get('/api/docs')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'.*script-src 'self';.*connect-src 'self'/)
  assert.doesNotMatch(policy, /script-src[^;]*unsafe|https?:/)
  assert.doesNotMatch(String((await world.anonymous.get('/health')).headers['content-security-policy']), /script-src/)
})

test(
  'the page of the API shows it in a browser, and asks nothing of other machines',
  { skip: existsSync(CHROMIUM) ? false : 'Chromium is not installed' },
  async (t) => {
    const origin = await world.listen()
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
    t.after(() => browser.close())
    const page = await browser.newPage()
    const asked: string[] = []
    const complaints: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
    page.on('pageerror', (err) => complaints.push(err.message))
    await page.goto(`${origin}/api/docs`)
    await page.getByRole('heading', { name: 'Linnet' }).waitFor()
    await page.getByRole('button', { name: 'timelines' }).first().click()
    await page.getByText('Read the home timeline').first().click()
    await page.getByText('/api/v1/timelines/home').first().waitFor()
    await page.waitForLoadState('networkidle')
    assert.ok(asked.includes(`${origin}/api/openapi.json`))
    assert.deepEqual(
      asked.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url)),
      [],
    )
    assert.deepEqual(complaints, [])
  },
)
