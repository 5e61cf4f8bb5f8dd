import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { validate } from '@scalar/openapi-parser'
import { readApi } from '../../test/api-document.ts'
import { fromSomewhere } from '../../test/browser.ts'
import { openWorld } from '../../test/world.ts'
import { ACCESS } from './access.ts'

const world = await openWorld({ effects: false })
after(world.close)
const { document, routes } = await readApi(world)

test('the description of the API is valid OpenAPI 3.1', async () => {
  assert.match(document.openapi, /^3\.1\./)
  const { valid, errors } = await validate({ ...document })
  assert.deepEqual(errors, [])
  assert.equal(valid, true)
  const broken = { ...document, paths: { '/x': { get: { responses: 7 } } } }
  assert.equal((await validate(broken)).valid, false)
})

test('every route of the API is described: what it is for, what it belongs to, what it answers and how it refuses', () => {
  for (const { key, operation } of routes) {
    assert.match(operation.summary ?? '', /^\p{Lu}/u, `${key} has no summary`)
    assert.ok(operation.tags?.length, `${key} has no tags`)
    const [schema] = Object.values(operation.responses['200']?.content ?? {}).map((one) => one.schema)
    const isDescribed = schema && ['$ref', 'type', 'anyOf'].some((word) => word in schema)
    assert.ok(isDescribed || '204' in operation.responses, `${key} does not say what it answers`)
    const refusal = operation.responses['default']?.content?.['application/json']?.schema
    assert.deepEqual(refusal, { $ref: '#/components/schemas/ErrorBody' }, key)
    for (const name of key.matchAll(/\{(\w+)\}/g)) {
      const parameter = operation.parameters?.find((one) => one.in === 'path' && one.name === name[1])
      assert.equal(parameter?.required, true, `${key} does not describe ${name[1]}`)
    }
    for (const { name, in: place, schema } of operation.parameters ?? []) {
      if (place === 'query') assert.equal(schema.type === 'array', name.endsWith('[]'), `${key}: ${name}`)
    }
  }
})

test('the description has every route under /api that is no page, and says of each whom it lets in', () => {
  const hidden = new Set(['GET /metrics', 'GET /api/docs', 'GET /api/docs/reference.js'])
  const described = new Map(routes.map(({ key, operation }) => [key, operation]))
  for (const [row, { caller, scopes, cache }] of Object.entries(ACCESS)) {
    // A pattern of paths that don't exist has nothing to describe.
    const isOther = caller === 'page' || cache === 'file' || row.endsWith('/*')
    if (isOther || hidden.has(row) || !row.includes(' /api/')) continue
    const operation = described.get(row.replace(/:(\w+)/g, '{$1}'))
    assert.ok(operation, `${row} is not described`)
    const ways = scopes.length > 0 ? scopes.map((scope) => ({ token: [scope] })) : [{ token: [] }]
    const expected = caller === 'open' ? [] : caller === 'optional' ? [{}, ...ways] : ways
    assert.deepEqual(operation.security, expected, row)
  }
})

test('a route that clients should leave says so in the description, and since when in every answer', async () => {
  const paths = new Set<string>()
  for (const { key, method, path, operation } of routes) {
    const url = path.replace(/\{[^}]+\}/g, '1')
    const { headers } = await world.anonymous.send({ method, url, headers: fromSomewhere() })
    if (operation.deprecated === true) assert.match(String(headers['deprecation']), /^@1[5-9]\d{8}$/, key)
    else assert.equal(headers['deprecation'], undefined, key)
    if (operation.deprecated === true) paths.add(path)
  }
  for (const path of ['/api/v1/filters/{id}', '/api/v1/follows', '/api/v1_alpha/collections']) {
    assert.ok(paths.has(path), path)
  }
})

test('whatever answers with relationships takes the form that they are to have', () => {
  const found = routes.filter(({ operation }) => /schemas\/Relationship"/.test(JSON.stringify(operation.responses)))
  assert.ok(found.length >= 15)
  for (const { key, operation } of found) {
    const names = operation.parameters?.filter((one) => one.in === 'query').map(({ name }) => name)
    assert.ok(names?.includes('relationship_format'), key)
  }
})

test('what a route takes as a body it takes in every form, and none is needed where no field is', () => {
  const forms = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']
  for (const { key, operation } of routes) {
    const { requestBody } = operation
    if (!requestBody) continue
    const types = Object.keys(requestBody.content)
    assert.ok(types.includes('multipart/form-data'), key)
    for (const type of types) assert.ok(forms.includes(type), `${key}: ${type}`)
  }
})
