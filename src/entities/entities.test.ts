import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { type JsonSchema, apiDocument, entityNames, entitySchemas } from '../../test/http/entities/entity-schemas.ts'
import { Account } from './accounts/account.ts'
import { ref } from './schema/ref.ts'
import { entities } from './schema/registry.ts'

test('each entity is registered with its $id, and each reference is to a registered entity', () => {
  for (const name of entityNames) assert.equal(entitySchemas[name].$id, name)
  for (const target of referencesIn(entities)) assert.ok(Object.hasOwn(entities, target), target)
})

test('a nested entity is a reference, not a copy', () => {
  walk(entities, ({ $id }, path) => {
    if (path.length > 1) assert.equal($id, undefined, path.join('.'))
  })
})

test('only a schema with an $id can be referenced', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(ref(Account))), { $ref: 'Account' })
  assert.throws(() => ref(Type.String()))
})

test('each id is a string, except the one that typed clients read as a number', () => {
  const numbers: string[] = []
  walk(entities, (shape, path) => {
    const key = path.at(-1) ?? ''
    const isId = path.at(-2) === 'properties' && /(^|_)ids?$/.test(key)
    if (!isId) return
    for (const { type } of (shape.anyOf ?? [shape]).map((option) => option.items ?? option)) {
      if (type !== 'string' && type !== 'null') numbers.push(`${path[0]}.${key}`)
    }
  })
  assert.deepEqual(numbers, ['NotificationGroup.most_recent_notification_id'])
})

test('the OpenAPI document has each entity as a component, and all its references resolve', () => {
  assert.equal(apiDocument.openapi, '3.1.0')
  assert.deepEqual(Object.keys(apiDocument.components.schemas).toSorted(), entityNames.toSorted())
  for (const name of entityNames) {
    const component = apiDocument.components.schemas[name]
    assert.deepEqual(Object.keys(component?.properties ?? {}), Object.keys(entitySchemas[name].properties ?? {}))
    assert.deepEqual(component?.required, entitySchemas[name].required)
  }
  const targets = referencesIn(apiDocument)
  assert.ok(targets.size > 20)
  for (const target of targets) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(target)?.[1]
    assert.ok(name !== undefined && Object.hasOwn(apiDocument.components.schemas, name), target)
  }
})

test('the schema of a route that returns an entity is a reference, not a copy', () => {
  const status = { $ref: '#/components/schemas/Status' }
  const orNull = { anyOf: [status, { type: 'null' }] }
  assert.deepEqual(schemaOf('/one', '200'), status)
  assert.deepEqual(schemaOf('/one', '404'), { $ref: '#/components/schemas/ErrorBody' })
  assert.deepEqual(schemaOf('/many', '200'), { type: 'array', items: status })
  assert.deepEqual(schemaOf('/perhaps', '200'), {
    type: 'object',
    required: ['last'],
    properties: { last: orNull },
  })
  assert.deepEqual(apiDocument.components.schemas['Status']?.properties?.['reblog'], orNull)
})

function schemaOf(path: string, code: string): unknown {
  return apiDocument.paths[path]?.['get']?.responses[code]?.content['application/json'].schema
}

function walk(node: unknown, visit: (shape: JsonSchema, path: string[]) => void, path: string[] = []): void {
  if (typeof node !== 'object' || node === null) return
  visit(node, path)
  for (const [key, value] of Object.entries(node)) walk(value, visit, [...path, key])
}

function referencesIn(node: unknown): Set<string> {
  const targets = new Set<string>()
  walk(node, ({ $ref }) => {
    if (typeof $ref === 'string') targets.add($ref)
  })
  return targets
}
