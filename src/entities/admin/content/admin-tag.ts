import { type Static, Type } from 'typebox'
import { Tag } from '../../statuses/tag.ts'

export const AdminTag = Type.Object(
  {
    ...Tag.properties,
    trendable: Type.Boolean({ description: 'The hashtag can trend, by its review or by the setting of the server.' }),
    usable: Type.Boolean({
      description:
        'False: public statuses with the hashtag are refused, it has no page, never trends, and its uses are not counted.',
    }),
    listable: Type.Boolean({ description: 'False: the hashtag is not found by search and never trends.' }),
    requires_review: Type.Boolean({ description: 'The staff have not reviewed the hashtag yet.' }),
  },
  { $id: 'AdminTag', description: 'A hashtag as the staff see it (Admin::Tag).' },
)
export type AdminTag = Static<typeof AdminTag>
