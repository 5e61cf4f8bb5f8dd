import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { validate } from '@scalar/openapi-parser'
import { readApiDocument } from '../../../test/http/entities/api-document.ts'
import { uniqueAddressHeaders } from '../../../test/http/browser.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import { ROUTE_POLICIES } from '../route-policies.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { document, routes } = await readApiDocument(testServer)

test('the description of the API is valid OpenAPI 3.1', async () => {
  assert.match(document.openapi, /^3\.1\./)
  const { valid, errors } = await validate({ ...document })
  assert.deepEqual(errors, [])
  assert.equal(valid, true)
  const broken = { ...document, paths: { '/x': { get: { responses: 7 } } } }
  assert.equal((await validate(broken)).valid, false)
})

test('every route of the API has a summary, a tag, and the schemas of its response and its errors', () => {
  for (const { key, operation } of routes) {
    assert.match(operation.summary ?? '', /^\p{Lu}/u, `${key} has no summary`)
    assert.ok(operation.tags?.length, `${key} has no tags`)
    const [schema] = Object.values(operation.responses['200']?.content ?? {}).map((one) => one.schema)
    const isDescribed = schema && ['$ref', 'type', 'anyOf'].some((word) => word in schema)
    assert.ok(isDescribed || '204' in operation.responses, `${key} has no response schema`)
    const errorSchema = operation.responses['default']?.content?.['application/json']?.schema
    assert.deepEqual(errorSchema, { $ref: '#/components/schemas/ErrorBody' }, key)
    for (const name of key.matchAll(/\{(\w+)\}/g)) {
      const parameter = operation.parameters?.find((one) => one.in === 'path' && one.name === name[1])
      assert.equal(parameter?.required, true, `${key} does not describe ${name[1]}`)
    }
    for (const { name, in: place, schema } of operation.parameters ?? []) {
      if (place === 'query') assert.equal(schema.type === 'array', name.endsWith('[]'), `${key}: ${name}`)
    }
  }
})

test('the description contains all routes under /api except pages, with their authorization', () => {
  const hidden = new Set(['GET /metrics', 'GET /api/docs', 'GET /api/docs/reference.js'])
  const described = new Map(routes.map(({ key, operation }) => [key, operation]))
  for (const [row, { caller, scopes, cache }] of Object.entries(ROUTE_POLICIES)) {
    // Wildcard routes have no fixed path to describe.
    const isOther = caller === 'page' || cache === 'file' || row.endsWith('/*')
    if (isOther || hidden.has(row) || !row.includes(' /api/')) continue
    const operation = described.get(row.replace(/:(\w+)/g, '{$1}'))
    assert.ok(operation, `${row} is not described`)
    const alternatives = scopes.length > 0 ? scopes.map((scope) => ({ token: [scope] })) : [{ token: [] }]
    const expected = caller === 'open' ? [] : caller === 'optional' ? [{}, ...alternatives] : alternatives
    assert.deepEqual(operation.security, expected, row)
  }
})

test('a deprecated route is marked in the description, and its responses have the date', async () => {
  const paths = new Set<string>()
  for (const { key, method, path, operation } of routes) {
    const url = path.replace(/\{[^}]+\}/g, '1')
    const { headers } = await testServer.anonymous.send({ method, url, headers: uniqueAddressHeaders() })
    if (operation.deprecated === true) assert.match(String(headers['deprecation']), /^@1[5-9]\d{8}$/, key)
    else assert.equal(headers['deprecation'], undefined, key)
    if (operation.deprecated === true) paths.add(path)
  }
  for (const path of ['/api/v1/filters/{id}', '/api/v1/follows', '/api/v1_alpha/collections']) {
    assert.ok(paths.has(path), path)
  }
})

test('all routes that return relationships accept relationship_format', () => {
  const found = routes.filter(({ operation }) => /schemas\/Relationship"/.test(JSON.stringify(operation.responses)))
  assert.ok(found.length >= 15)
  for (const { key, operation } of found) {
    const names = operation.parameters?.filter((one) => one.in === 'query').map(({ name }) => name)
    assert.ok(names?.includes('relationship_format'), key)
  }
})

test('routes with a body accept multipart, and no content types other than JSON, urlencoded and multipart', () => {
  const forms = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  for (const { key, operation } of routes) {
    const { requestBody } = operation
    if (!requestBody) continue
    const types = Object.keys(requestBody.content)
    assert.ok(types.includes('multipart/form-data'), key)
    for (const type of types) assert.ok(forms.includes(type), `${key}: ${type}`)
  }
})
