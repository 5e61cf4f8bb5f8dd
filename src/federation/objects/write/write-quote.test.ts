import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Accept, Delete, Note, QuoteAuthorization, QuoteRequest, Reject, Update } from '@fedify/fedify/vocab'
import type { Object as FedifyObject } from '@fedify/fedify/vocab'
import { parseWithFedify } from '../../../../test/federation/fedify.ts'
import type { FedifyClass } from '../../../../test/federation/fedify.ts'
import { openQuoteServers } from '../../../../test/federation/quote-servers.ts'
import type { PeerActor } from '../../../../test/federation/peer/actor.ts'

const quoting = await openQuoteServers()
after(quoting.close)
const { testServer, makeActor, post, requestQuote, deliver, uriOf, recordNote } = quoting

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

async function next<T extends FedifyObject>(kind: FedifyClass<T>, { inbox }: PeerActor): Promise<T> {
  return parseWithFedify(kind, (await inbox.next(({ type }) => type === kind.name)).activity)
}

test('Fedify understands the quotes, quote policies and authorizations of local notes', async () => {
  const [author, quoter, fan] = [await testServer.createUser(), await testServer.createUser(), await makeActor()]
  await deliver(fan, fan.activity('Follow', uriOf(quoter)))
  const quoted = await post(author)
  const status = await post(quoter, { quoted_status_id: quoted.id, quote_approval_policy: 'followers' })
  const { json } = await fan.get(status.uri)
  const note = await parseWithFedify(Note, json)
  assert.equal(note.quoteId?.href, quoted.uri)
  assert.equal(note.quoteUrl?.href, quoted.uri)
  assert.deepEqual(
    note.interactionPolicy?.canQuote?.automaticApprovals.map(({ href }) => href),
    [`${uriOf(quoter)}/followers`],
  )
  const approvalUri = note.quoteAuthorizationId!.href
  const authorization = await parseWithFedify(QuoteAuthorization, (await fan.get(approvalUri)).json)
  assert.deepEqual(
    [
      authorization.id?.href,
      authorization.attributionId?.href,
      authorization.interactingObjectId?.href,
      authorization.interactionTargetId?.href,
    ],
    [approvalUri, uriOf(author), status.uri, quoted.uri],
  )
  const open = await parseWithFedify(Note, (await fan.get(quoted.uri)).json)
  assert.deepEqual(
    open.interactionPolicy?.canQuote?.automaticApprovals.map(({ href }) => href),
    [PUBLIC],
  )
  await author.client.post(`/api/v1/statuses/${quoted.id}/quotes/${status.id}/revoke`)
  const deleted = await next(Delete, fan)
  assert.deepEqual([deleted.actorId?.href, deleted.objectId?.href], [uriOf(author), approvalUri])
  assert.ok((await next(Update, fan)).objectId)
  const orphaned = await post(quoter, { quoted_status_id: quoted.id })
  await author.client.delete(`/api/v1/statuses/${quoted.id}`)
  await testServer.waitForJobs()
  const { json: left } = await fan.get(orphaned.uri)
  assert.deepEqual(left.quote, { type: 'Tombstone' })
  assert.equal((await parseWithFedify(Note, left)).quoteUrl, null)
})

test('Fedify understands quote requests and responses to them', async () => {
  const [user, carol] = [await testServer.createUser(), await makeActor()]
  const { id, note } = await recordNote(user, carol)
  const status = await post(user, { quoted_status_id: id })
  const request = await next(QuoteRequest, carol)
  assert.deepEqual(
    [request.actorId?.href, request.objectId?.href, request.instrumentId?.href],
    [uriOf(user), note['id'], status.uri],
  )
  assert.ok((await request.getInstrument()) instanceof Note)

  const accepted = requestQuote(carol, status)
  await deliver(carol, accepted.request)
  const accept = await next(Accept, carol)
  assert.deepEqual([accept.actorId?.href, accept.objectId?.href], [uriOf(user), accepted.request['id']])
  assert.ok(accept.resultId!.href.startsWith(`${uriOf(user)}/quote_authorizations/`))
  await user.client.put(`/api/v1/statuses/${status.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
  const rejected = requestQuote(carol, status)
  await deliver(carol, rejected.request)
  const reject = await next(Reject, carol)
  assert.deepEqual([reject.actorId?.href, reject.objectId?.href], [uriOf(user), rejected.request['id']])
})
