import type { FastifyInstance } from 'fastify'

/** The storage of the schemas to which routes refer, as Fastify requires it. */
interface SchemaBucket {
  add(schema: unknown): FastifyInstance
  getSchema(id: string): unknown
  getSchemas(): Record<string, unknown>
}

/**
 * Returns the function by which a server creates the storage of schemas for each of its scopes: all share one. By
 * default, Fastify copies all schemas for each file of routes.
 */
export function shareSchemas(): () => SchemaBucket {
  const schemas: Record<string, unknown> = {}
  const bucket = {
    add(schema: { $id: string }) {
      schemas[schema.$id] = schema
    },
    getSchema: (id: string) => schemas[id],
    getSchemas: () => schemas,
  }
  // Fastify ignores what `add` returns, other than its types say.
  return () => bucket as unknown as SchemaBucket
}
