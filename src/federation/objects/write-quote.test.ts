import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Accept, Delete, Note, QuoteAuthorization, QuoteRequest, Reject, Update } from '@fedify/fedify/vocab'
import type { Object as FedifyObject } from '@fedify/fedify/vocab'
import { understand } from '../../../test/fedify.ts'
import type { Kind } from '../../../test/fedify.ts'
import { openQuoting } from '../../../test/quoting.ts'
import type { PeerActor } from '../../../test/peer/actor.ts'

const quoting = await openQuoting()
after(quoting.close)
const { world, makeActor, post, ask, deliver, uriOf, recordNote } = quoting

const PUBLIC = 'https://www.w3.org/ns/activitystreams#Public'

async function next<T extends FedifyObject>(kind: Kind<T>, { inbox }: PeerActor): Promise<T> {
  return understand(kind, (await inbox.next(({ type }) => type === kind.name)).activity)
}

test('Fedify understands what our notes say of quotes', async () => {
  const [author, quoter, fan] = [await world.createPerson(), await world.createPerson(), await makeActor()]
  await deliver(fan, fan.activity('Follow', uriOf(quoter)))
  const quoted = await post(author)
  const status = await post(quoter, { quoted_status_id: quoted.id, quote_approval_policy: 'followers' })
  const { json } = await fan.get(status.uri)
  const note = await understand(Note, json)
  assert.equal(note.quoteId?.href, quoted.uri)
  assert.equal(note.quoteUrl?.href, quoted.uri)
  assert.deepEqual(
    note.interactionPolicy?.canQuote?.automaticApprovals.map(({ href }) => href),
    [`${uriOf(quoter)}/followers`],
  )
  const approvalUri = note.quoteAuthorizationId!.href
  const consent = await understand(QuoteAuthorization, (await fan.get(approvalUri)).json)
  assert.deepEqual(
    [
      consent.id?.href,
      consent.attributionId?.href,
      consent.interactingObjectId?.href,
      consent.interactionTargetId?.href,
    ],
    [approvalUri, uriOf(author), status.uri, quoted.uri],
  )
  const open = await understand(Note, (await fan.get(quoted.uri)).json)
  assert.deepEqual(
    open.interactionPolicy?.canQuote?.automaticApprovals.map(({ href }) => href),
    [PUBLIC],
  )
  await author.client.post(`/api/v1/statuses/${quoted.id}/quotes/${status.id}/revoke`)
  const deleted = await next(Delete, fan)
  assert.deepEqual([deleted.actorId?.href, deleted.objectId?.href], [uriOf(author), approvalUri])
  assert.ok((await next(Update, fan)).objectId)
  const bereft = await post(quoter, { quoted_status_id: quoted.id })
  await author.client.delete(`/api/v1/statuses/${quoted.id}`)
  await world.settle()
  const { json: left } = await fan.get(bereft.uri)
  assert.deepEqual(left.quote, { type: 'Tombstone' })
  assert.equal((await understand(Note, left)).quoteUrl, null)
})

test('Fedify understands what we ask and answer', async () => {
  const [person, carol] = [await world.createPerson(), await makeActor()]
  const { id, note } = await recordNote(person, carol)
  const status = await post(person, { quoted_status_id: id })
  const request = await next(QuoteRequest, carol)
  assert.deepEqual(
    [request.actorId?.href, request.objectId?.href, request.instrumentId?.href],
    [uriOf(person), note['id'], status.uri],
  )
  assert.ok((await request.getInstrument()) instanceof Note)

  const may = ask(carol, status)
  await deliver(carol, may.request)
  const accept = await next(Accept, carol)
  assert.deepEqual([accept.actorId?.href, accept.objectId?.href], [uriOf(person), may.request['id']])
  assert.ok(accept.resultId!.href.startsWith(`${uriOf(person)}/quote_authorizations/`))
  await person.client.put(`/api/v1/statuses/${status.id}/interaction_policy`, { quote_approval_policy: 'nobody' })
  const mayNot = ask(carol, status)
  await deliver(carol, mayNot.request)
  const reject = await next(Reject, carol)
  assert.deepEqual([reject.actorId?.href, reject.objectId?.href], [uriOf(person), mayNot.request['id']])
})
