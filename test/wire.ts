import assert from 'node:assert/strict'
import swagger from '@fastify/swagger'
import fastify from 'fastify'
import { Type } from 'typebox'
import { Check } from 'typebox/schema'
import { Value } from 'typebox/value'
import { ErrorBody } from '../src/entities/error.ts'
import { nullable } from '../src/entities/nullable.ts'
import { ref } from '../src/entities/ref.ts'
import { entities } from '../src/entities/registry.ts'
import { Status } from '../src/entities/status.ts'

export type Name = keyof typeof entities

/** The keywords of a schema that tests read. */
export interface Shape {
  $id?: string
  $ref?: string
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
}

export const shapes = entities as Record<Name, Shape>
export const names = Object.keys(entities) as Name[]

interface Answer {
  content: { 'application/json': { schema: unknown } }
}

/** The parts of the API document that tests read. */
interface ApiDocument {
  openapi: string
  components: { schemas: Record<string, Shape> }
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
}

async function describeEntities(): Promise<ApiDocument> {
  const app = fastify()
  for (const entity of Object.values(entities)) app.addSchema(entity)
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', info: { title: 'Linnet', version: '0.1.0' } },
    refResolver: {
      buildLocalReference: ({ $id }, _base, _fragment, i) => (typeof $id === 'string' ? $id : `def-${i}`),
    },
  })
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer))
  app.get('/one', { schema: { response: { 200: ref(Status), 404: ref(ErrorBody) } } }, () => ({}))
  app.get('/many', { schema: { response: { 200: Type.Array(ref(Status)) } } }, () => [])
  app.get('/perhaps', { schema: { response: { 200: Type.Object({ last: nullable(ref(Status)) }) } } }, () => ({}))
  await app.ready()
  const document = JSON.parse(JSON.stringify(app.swagger())) as ApiDocument
  await app.close()
  return document
}

/** The API document of three routes that answer with references, built as the server builds its own. */
export const apiDocument = await describeEntities()

/** Whether a value, once written as JSON, is this entity. Fails when the API document says otherwise than we do. */
export function isOnWire(name: Name, value: unknown): boolean {
  const wire: unknown = JSON.parse(JSON.stringify(value))
  const here = Value.Check(entities, entities[name], wire)
  const there = Check({ ...apiDocument, $ref: `#/components/schemas/${name}` }, wire)
  assert.equal(there, here, `${name} is not the same in the API document`)
  return here
}

/** Fails with what is wrong when a value is not this entity. */
export function assertOnWire(name: Name, value: unknown): void {
  const wire: unknown = JSON.parse(JSON.stringify(value))
  assert.deepEqual(Value.Errors(entities, entities[name], wire), [], name)
  assert.ok(isOnWire(name, value), name)
}
