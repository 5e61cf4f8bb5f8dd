import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { type Shape, apiDocument, names, shapes } from '../../test/wire.ts'
import { Account } from './account.ts'
import { ref } from './ref.ts'
import { entities } from './registry.ts'

test('every entity is registered under its own name, and every reference leads to one', () => {
  for (const name of names) assert.equal(shapes[name].$id, name)
  for (const target of referencesIn(entities)) assert.ok(Object.hasOwn(entities, target), target)
})

test('an entity inside another is a reference, never a copy', () => {
  walk(entities, ({ $id }, path) => {
    if (path.length > 1) assert.equal($id, undefined, path.join('.'))
  })
})

test('only a schema with a name can be referred to', () => {
  assert.deepEqual(JSON.parse(JSON.stringify(ref(Account))), { $ref: 'Account' })
  assert.throws(() => ref(Type.String()))
})

test('every id is a string, save the one that typed clients read as a number', () => {
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

test('the API document has every entity as a component, and its references hold', () => {
  assert.equal(apiDocument.openapi, '3.1.0')
  assert.deepEqual(Object.keys(apiDocument.components.schemas).toSorted(), names.toSorted())
  for (const name of names) {
    const component = apiDocument.components.schemas[name]
    assert.deepEqual(Object.keys(component?.properties ?? {}), Object.keys(shapes[name].properties ?? {}))
    assert.deepEqual(component?.required, shapes[name].required)
  }
  const targets = referencesIn(apiDocument)
  assert.ok(targets.size > 20)
  for (const target of targets) {
    const name = /^#\/components\/schemas\/(\w+)$/.exec(target)?.[1]
    assert.ok(name !== undefined && Object.hasOwn(apiDocument.components.schemas, name), target)
  }
})

test('a route that refers to an entity is described by a reference, not by a copy', () => {
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

function walk(node: unknown, visit: (shape: Shape, path: string[]) => void, path: string[] = []): void {
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
