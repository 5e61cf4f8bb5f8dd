import type { FastifyInstance } from 'fastify'
import { findShownAccount } from '../domain/accounts/find-local.ts'
import type { Ctx } from '../domain/context.ts'
import { visibleTo } from '../domain/statuses/visibility.ts'
import { NotFound } from '../lib/errors.ts'
import { isId } from '../lib/ids.ts'
import { statement } from '../platform/db/connect.ts'
import { sendDocument } from './answer.ts'
import { actorUri } from './objects/uris.ts'
import { writeQuoteAuthorization } from './objects/write-quote-activities.ts'
import { findSigner } from './signer.ts'
import { NOTE_CONTEXT, withContext } from './wire/context.ts'

interface Found {
  quoting: string
  quoted: string
  isOpen: boolean
}

// $2 who agreed, $3 who asks. Of a status that is not for everybody, only its readers learn that it is there.
const find = statement<Found>(
  `select s.uri as quoting, q.quoted_uri as quoted, s.visibility in ('public', 'unlisted') as "isOpen"
   from quotes q join statuses s on s.id = q.status_id join statuses quoted on quoted.id = q.quoted_status_id
   where q.id = $1 and q.quoted_account_id = $2 and q.account_id <> $2 and q.state = 'accepted'
     and quoted.local and quoted.deleted_at is null and not s.local_only and ${visibleTo('$3')}`,
)

type ByIds = { Params: { id: string; quote: string } }

/** That people of here agree to be quoted. */
export async function quoteAuthorizations(server: FastifyInstance, ctx: Ctx): Promise<void> {
  server.get<ByIds>('/ap/users/:id/quote_authorizations/:quote', async (request, reply) => {
    const { accountId, isSigned } = await findSigner(ctx, request)
    const { id, quote } = request.params
    const author = await findShownAccount(ctx, { id })
    const [found] = isId(quote) ? await find(ctx.db, [quote, author.id, accountId]) : []
    if (!found) throw new NotFound()
    const { quoting, quoted, isOpen } = found
    const actor = actorUri(ctx.config, author.id)
    const uri = `${actor}/quote_authorizations/${quote}`
    const json = writeQuoteAuthorization({ uri, actor, quoting, quoted })
    return sendDocument(reply, { json: withContext(NOTE_CONTEXT, json), shared: !isSigned && isOpen })
  })
}
