import { Type } from 'typebox'
import type { Ctx, Tx } from '../../../../domain/context.ts'
import { endorseAccount, unendorseAccount } from '../../../../domain/relationships/endorse.ts'
import { noteAccount } from '../../../../domain/relationships/note-account.ts'
import { blockAccount } from '../../../../domain/relationships/block.ts'
import { followAccount } from '../../../../domain/relationships/follow.ts'
import { muteAccount } from '../../../../domain/relationships/mute.ts'
import { removeFollower } from '../../../../domain/relationships/remove-follower.ts'
import { unblockAccount } from '../../../../domain/relationships/unblock.ts'
import { unfollowAccount } from '../../../../domain/relationships/unfollow.ts'
import { unmuteAccount } from '../../../../domain/relationships/unmute.ts'
import type { Api } from '../../../api.ts'
import { viewerOf } from '../../../support/authorise.ts'
import { deprecatedSince } from '../../../support/deprecated.ts'
import { ById } from '../../../support/params.ts'
import { countDeed } from '../../../support/rate.ts'
import { RELATIONSHIP_FORMAT, RelationshipAnswer, relationshipWith } from '../../../support/relationship.ts'
import { THROTTLES } from '../../../support/throttles.ts'

type PairVerb = (tx: Tx, pair: { accountId: string; targetAccountId: string }) => Promise<void>

/** The verbs that need nothing but the two accounts. */
const PLAIN: [path: string, verb: PairVerb, summary: string, deprecated?: object][] = [
  ['unfollow', unfollowAccount, 'Unfollow an account, or take the request back'],
  [
    'remove_from_followers',
    (tx, { accountId, targetAccountId: followerId }) => removeFollower(tx, { accountId, followerId }),
    'End the follow of a follower',
  ],
  ['block', blockAccount, 'Block an account'],
  ['unblock', unblockAccount, 'Unblock an account'],
  ['unmute', unmuteAccount, 'Unmute an account'],
  ['endorse', endorseAccount, 'Recommend an account that I follow on my profile'],
  ['unendorse', unendorseAccount, 'Recommend an account no more'],
  ['pin', endorseAccount, 'The old name of `endorse`', deprecatedSince('2025-07-08')],
  ['unpin', unendorseAccount, 'The old name of `unendorse`', deprecatedSince('2025-07-08')],
]

/** What people do with an account. Each answers with what is between the two afterwards. */
export async function accountActions(api: Api, ctx: Ctx): Promise<void> {
  const describe = (summary: string) => ({
    tags: ['accounts'],
    summary,
    params: ById,
    querystring: Type.Object(RELATIONSHIP_FORMAT),
    response: { 200: RelationshipAnswer },
  })

  api.post(
    '/:id/follow',
    {
      schema: {
        ...describe('Follow an account, or change how'),
        body: Type.Object({
          reblogs: Type.Optional(
            Type.Boolean({ description: 'Show their boosts from now on. True for a new follow.' }),
          ),
          notify: Type.Optional(Type.Boolean({ description: 'Notify each of their posts.' })),
          languages: Type.Optional(Type.Array(Type.String(), { description: 'Only these, ISO 639. Empty = all.' })),
        }),
      },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const { reblogs: showReblogs, notify, languages } = request.body
      const terms = { showReblogs, notify, languages }
      const { assumed } = await countDeed(ctx, { request, reply, throttle: THROTTLES.follows, accountId }, () =>
        ctx.write((tx) => followAccount(tx, { accountId, targetAccountId: id, terms })),
      )
      return relationshipWith(ctx, { id, viewerId: accountId, query: request.query, assumed })
    },
  )

  api.post(
    '/:id/mute',
    {
      schema: {
        ...describe('Mute an account, or change how'),
        body: Type.Object({
          notifications: Type.Optional(
            Type.Boolean({ description: 'Hide their notifications too; true if left out.' }),
          ),
          duration: Type.Optional(Type.Integer({ description: 'Seconds; 0 = until it is taken back.' })),
        }),
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const { notifications: hideNotifications, duration: durationSeconds } = request.body
      await ctx.write((tx) => muteAccount(tx, { accountId, targetAccountId: id, hideNotifications, durationSeconds }))
      return relationshipWith(ctx, { id, viewerId: accountId, query: request.query })
    },
  )

  api.post(
    '/:id/note',
    {
      schema: {
        ...describe('Note something about an account that nobody else sees'),
        body: Type.Object({
          comment: Type.Optional(Type.String({ description: 'At most 2,000 characters; blank takes the note away.' })),
        }),
      },
    },
    async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      const { comment = '' } = request.body
      await ctx.write((tx) => noteAccount(tx, { accountId, targetAccountId: id, comment }))
      return relationshipWith(ctx, { id, viewerId: accountId, query: request.query })
    },
  )

  for (const [path, verb, summary, deprecated] of PLAIN) {
    api.post(`/:id/${path}`, { schema: { ...describe(summary), ...deprecated } }, async (request) => {
      const { accountId } = viewerOf(request)
      const { id } = request.params
      await ctx.write((tx) => verb(tx, { accountId, targetAccountId: id }))
      return relationshipWith(ctx, { id, viewerId: accountId, query: request.query })
    })
  }
}
