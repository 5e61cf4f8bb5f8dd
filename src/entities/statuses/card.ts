import { type Static, Type } from 'typebox'
import { Account } from '../accounts/account.ts'
import { nullable } from '../schema/nullable.ts'
import { oneOf } from '../schema/one-of.ts'
import { ref } from '../schema/ref.ts'
import { DailyUse } from './tag.ts'
import { DateTime } from '../schema/time.ts'

/** Fields that are equal for all viewers. */
export const PreviewCardShared = Type.Object({
  url: Type.String(),
  title: Type.String(),
  description: Type.String(),
  language: nullable(Type.String()),
  type: oneOf(['link', 'photo', 'video', 'rich']),
  author_name: Type.String({ deprecated: true }),
  author_url: Type.String({ deprecated: true }),
  provider_name: Type.String(),
  provider_url: Type.String(),
  html: Type.String({ description: 'HTML of the player, for videos and rich pages.' }),
  width: Type.Integer({ description: 'Pixels.' }),
  height: Type.Integer({ description: 'Pixels.' }),
  image: nullable(Type.String()),
  image_description: Type.String(),
  embed_url: Type.String({ description: 'URL of the image, for photos.' }),
  blurhash: nullable(Type.String()),
  published_at: nullable(DateTime),
})
export type PreviewCardShared = Static<typeof PreviewCardShared>

/** Fields that differ between viewers, and nested entities that have such fields. */
export const PreviewCardForViewer = Type.Object({
  authors: Type.Array(
    Type.Object({
      name: Type.String(),
      url: Type.String(),
      account: nullable(ref(Account), {
        description: 'Set if the author has a known account that allows the attribution.',
      }),
    }),
  ),
  missing_attribution: Type.Optional(
    Type.Boolean({
      description:
        "The page credits the caller as its author, but its domain is not in the caller's `attribution_domains`.",
    }),
  ),
})
export type PreviewCardForViewer = Static<typeof PreviewCardForViewer>

export const PreviewCard = Type.Object(
  { ...PreviewCardShared.properties, ...PreviewCardForViewer.properties },
  { $id: 'PreviewCard' },
)
export type PreviewCard = Static<typeof PreviewCard>

export const TrendsLink = Type.Object(
  {
    ...PreviewCard.properties,
    history: Type.Array(ref(DailyUse), { description: 'The last seven days, newest first.' }),
  },
  { $id: 'TrendsLink' },
)
export type TrendsLink = Static<typeof TrendsLink>
