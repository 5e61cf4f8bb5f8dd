import assert from 'node:assert/strict'
import swagger from '@fastify/swagger'
import fastify from 'fastify'
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
import type { Validator } from 'typebox/schema'
import { ErrorBody } from '../../../src/entities/schema/error.ts'
import { nullable } from '../../../src/entities/schema/nullable.ts'
import { ref } from '../../../src/entities/schema/ref.ts'
import { entities } from '../../../src/entities/schema/registry.ts'
import { Status } from '../../../src/entities/statuses/status.ts'

export type EntityName = keyof typeof entities

/** The keywords of a schema that tests read. */
export interface JsonSchema {
  $id?: string
  $ref?: string
  type?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
}

export const entitySchemas = entities as Record<EntityName, JsonSchema>
export const entityNames = Object.keys(entities) as EntityName[]

interface Answer {
  content: { 'application/json': { schema: unknown } }
}

/** The parts of the API document that tests read. */
interface ApiDocument {
  openapi: string
  components: { schemas: Record<string, JsonSchema> }
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

/** The API document of three routes whose responses use references, built as in the server. */
export const apiDocument = await describeEntities()

interface EntityValidators {
  bySchema: Validator
  byDocument: Validator
}

const validators = new Map<EntityName, EntityValidators>()

function validatorsOf(name: EntityName): EntityValidators {
  const compiled = validators.get(name) ?? {
    bySchema: Compile(entities, entities[name]) as Validator,
    byDocument: Compile({ ...apiDocument, $ref: `#/components/schemas/${name}` }) as Validator,
  }
  validators.set(name, compiled)
  return compiled
}

/** Returns whether a value, serialised as JSON, is this entity. Fails if the schema in the API document disagrees. */
export function matchesEntity(name: EntityName, value: unknown): boolean {
  const wire: unknown = JSON.parse(JSON.stringify(value))
  const { bySchema, byDocument } = validatorsOf(name)
  const matchesSchema = bySchema.Check(wire)
  const matchesDocument = byDocument.Check(wire)
  assert.equal(matchesDocument, matchesSchema, `${name} is not the same in the API document`)
  return matchesSchema
}

/** Fails with the schema errors if a value is not this entity. */
export function assertEntity(name: EntityName, value: unknown): void {
  if (matchesEntity(name, value)) return
  const wire: unknown = JSON.parse(JSON.stringify(value))
  assert.deepEqual(validatorsOf(name).bySchema.Errors(wire)[1], [], name)
  assert.fail(`not a valid ${name}`)
}
