import type { TestServer } from '../../servers/test-server.ts'

/** The parts of a schema that tests read. */
export interface JsonSchema {
  $ref?: string
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  /** An id in a path. */
  'x-id'?: boolean
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: JsonSchema
}

/** An operation of the API document. */
export interface Operation {
  summary?: string
  deprecated?: boolean
  tags?: string[]
  parameters?: Parameter[]
  security: Record<string, string[]>[]
  requestBody?: { required?: boolean; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, { content?: Record<string, { schema: Record<string, unknown> }> }>
}

export interface ApiDocument {
  openapi: string
  components: { schemas: Record<string, unknown> }
  paths: Record<string, Record<string, Operation>>
}

export interface Route {
  /** `GET /api/v1/statuses/{id}` */
  key: string
  method: string
  path: string
  operation: Operation
}

/** Reads `/api/openapi.json`; returns the document and its routes. */
export async function readApiDocument(testServer: TestServer): Promise<{ document: ApiDocument; routes: Route[] }> {
  const { body: document } = await testServer.anonymous.get<ApiDocument>('/api/openapi.json')
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase()
      return { key: `${method} ${path}`, method, path, operation }
    }),
  )
  return { document, routes }
}
