import type { World } from './world.ts'

/** The parts of a schema that tests read. */
export interface Shape {
  $ref?: string
  type?: string
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: Shape[]
  /** An id in a path. */
  'x-id'?: boolean
}

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Shape
}

/** One route, as the API document describes it. */
export interface Operation {
  summary?: string
  deprecated?: boolean
  tags?: string[]
  parameters?: Parameter[]
  security: Record<string, string[]>[]
  requestBody?: { required?: boolean; content: Record<string, { schema: Shape }> }
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

/** What the server says of itself at `/api/openapi.json`, and each route of that. */
export async function readApi(world: World): Promise<{ document: ApiDocument; routes: Route[] }> {
  const { body: document } = await world.anonymous.get<ApiDocument>('/api/openapi.json')
  const routes = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => {
      const method = name.toUpperCase()
      return { key: `${method} ${path}`, method, path, operation }
    }),
  )
  return { document, routes }
}
