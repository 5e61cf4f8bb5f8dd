import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  FastifyTypeProvider,
  RawServerDefault,
  RouteGenericInterface,
} from 'fastify'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Static, TSchema } from 'typebox'
import type { CachedRead, Ctx } from '../domain/context.ts'
import { openReadContext, readContextOf } from './support/read-context.ts'

/** Types of what a handler gets, taken from the TypeBox schemas of its route. */
interface TypeBoxProvider extends FastifyTypeProvider {
  validator: this['schema'] extends TSchema ? Static<this['schema']> : unknown
  serializer: this['schema'] extends TSchema ? Static<this['schema']> : unknown
}

/** What a file of routes registers on. */
export type Api = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxProvider>

type RequestOf<Schema extends FastifySchema> = FastifyRequest<
  RouteGenericInterface,
  RawServerDefault,
  IncomingMessage,
  Schema,
  TypeBoxProvider
>

/** Runs before a handler reads, and may write. Returns whether it did. */
type Prepare = (ctx: Ctx, exchange: { request: FastifyRequest; reply: FastifyReply }) => Promise<boolean>

/**
 * What a file of routes registers on that only read. Its handlers have no `Ctx`, so they cannot write; they share the read
 * context of their request, for which invalidations are checked once.
 */
export class ReadApi {
  readonly #api: Api
  readonly #ctx: Ctx

  constructor(api: Api, ctx: Ctx) {
    this.#api = api
    this.#ctx = ctx
  }

  get<const Schema extends FastifySchema>(
    url: string,
    { schema, prepare }: { schema: Schema; prepare?: Prepare },
    handler: (read: CachedRead, request: RequestOf<Schema>, reply: FastifyReply) => Promise<FastifyReply>,
  ): void {
    const ctx = this.#ctx
    const handle = async (request: FastifyRequest, reply: FastifyReply) => {
      const hasWritten = prepare !== undefined && (await prepare(ctx, { request, reply }))
      const read = await (hasWritten ? openReadContext(ctx, request) : readContextOf(ctx, request))
      return handler(read, request as RequestOf<Schema>, reply)
    }
    // Fastify derives the type of the reply from the schema as well, which a handler that sends bytes does not meet.
    this.#api.get(url, { schema }, handle as never)
  }
}
