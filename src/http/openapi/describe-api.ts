import swagger from '@fastify/swagger'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import type { Ctx } from '../../domain/context.ts'
import { ErrorBody } from '../../entities/schema/error.ts'
import { ref } from '../../entities/schema/ref.ts'
import { entities } from '../../entities/schema/registry.ts'
import { ALL_SCOPES } from '../../lib/http/scopes.ts'
import type { RoutePolicy } from '../support/auth/route-policy.ts'

/** The paths of the API. Pages and files are not documented. */
const DOCUMENTED_PATHS = /^\/(api|oauth|health|livez|readyz|\.well-known|nodeinfo)(\/|$)/

type Security = Record<string, string[]>[]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The schemas of the responses, by status code. */
    responses?: object
  }
}

/** Generates the OpenAPI document from the schemas by which requests are parsed. */
export async function describeApi(app: FastifyInstance, ctx: Ctx): Promise<void> {
  keepResponseSchemas(app)
  for (const entity of Object.values(entities)) app.addSchema(entity)
  const { origin, version } = ctx.config
  const scopes = Object.fromEntries(ALL_SCOPES.map((scope) => [scope, `The scope ${scope}`]))
  const tokenUrl = `${origin}/oauth/token`
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Linnet',
        version,
        description: 'The Mastodon client API of this server.',
        license: { name: 'AGPL-3.0-only', identifier: 'AGPL-3.0-only' },
      },
      servers: [{ url: origin }],
      components: {
        securitySchemes: {
          token: {
            type: 'oauth2',
            flows: {
              authorizationCode: { authorizationUrl: `${origin}/oauth/authorize`, tokenUrl, scopes },
              clientCredentials: { tokenUrl, scopes },
            },
          },
        },
      },
    },
    transformObject(documentObject) {
      const document = 'openapiObject' in documentObject ? documentObject.openapiObject : {}
      const paths = Object.values((document.paths ?? {}) as Record<string, Record<string, Operation>>)
      for (const path of paths) delete path['head']
      for (const operation of paths.flatMap((path) => Object.values(path))) {
        makeBodyOptional(operation)
        addListBrackets(operation)
      }
      return document
    },
    transform: ({ schema, url, route }) => ({ schema: describeRoute(route, schema), url }),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `def-${i}`),
    },
  })
}

/**
 * Moves the response schemas of routes to their configurations. They document the API and are checked in tests:
 * serialising by them would be slower than `JSON.stringify`, and Fastify's table of serialisers takes 2 kB for a route.
 */
function keepResponseSchemas(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.schema?.response) return
    const { response, ...schema } = route.schema
    route.schema = schema
    route.config = { ...route.config, responses: response }
  })
}

/** Adds to the schema of a route its authorization, the content types of its body and its error response. */
function describeRoute(route: RouteOptions, schema: FastifySchema | undefined): FastifySchema {
  const access = route.config?.access
  const isPage = access?.caller === 'page'
  if (!access || isPage || access.cache === 'file' || !DOCUMENTED_PATHS.test(route.url) || !schema?.tags)
    return { hide: true }
  return {
    ...schema,
    ...(schema.body ? { consumes: schema.consumes ?? BODY_CONTENT_TYPES } : {}),
    security: securityOf(access),
    response: { ...route.config?.responses, default: errorResponse },
  }
}

const errorResponse = { description: 'An error', content: { 'application/json': { schema: ref(ErrorBody) } } }

const BODY_CONTENT_TYPES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** Returns one alternative for each scope of the route policy. The alternative `{}` means that no token is needed. */
function securityOf({ caller, scopes }: RoutePolicy): Security {
  if (caller === 'open') return []
  const alternatives: Security = scopes.length === 0 ? [{ token: [] }] : scopes.map((scope) => ({ token: [scope] }))
  return caller === 'optional' ? [{}, ...alternatives] : alternatives
}

/** The parts of a generated operation that are corrected afterwards. */
interface Operation {
  requestBody?: { required?: boolean; content: Record<string, { schema: { required?: string[] } }> }
  parameters?: { in: string; name: string; schema: { type?: string } }[]
}

/** Marks a body without required fields as optional. */
function makeBodyOptional({ requestBody }: Operation): void {
  const [content] = Object.values(requestBody?.content ?? {})
  if (requestBody && !content?.schema.required?.length) requestBody.required = false
}

/** Lists are sent as `id[]=1&id[]=2`: if a name without brackets is repeated, only its last value counts. */
function addListBrackets({ parameters = [] }: Operation): void {
  for (const parameter of parameters) {
    if (parameter.in === 'query' && parameter.schema.type === 'array') parameter.name += '[]'
  }
}
