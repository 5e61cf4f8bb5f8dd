import { type Static, Type } from 'typebox'
import { Id } from '../../schema/id.ts'
import { nullable } from '../../schema/nullable.ts'
import { DateTime } from '../../schema/time.ts'
import { TrendsLink } from '../../statuses/card.ts'
import { Status } from '../../statuses/status.ts'

const requires_review = Type.Boolean({ description: 'The staff have not decided yet whether it can trend.' })
const trendable = nullable(Type.Boolean(), {
  description:
    "Linnet's own: whether the staff approved or rejected it, or its publisher. " +
    'Null: not reviewed; the setting of the server applies.',
})

export const AdminTrendsStatus = Type.Object(
  { ...Status.properties, trendable, requires_review },
  { $id: 'AdminTrendsStatus', description: 'A trending status as the staff see it (Admin::Trends::Status).' },
)
export type AdminTrendsStatus = Static<typeof AdminTrendsStatus>

export const AdminTrendsLink = Type.Object(
  { ...TrendsLink.properties, id: Id, trendable, requires_review },
  { $id: 'AdminTrendsLink', description: 'A trending link as the staff see it (Admin::Trends::Link).' },
)
export type AdminTrendsLink = Static<typeof AdminTrendsLink>

export const AdminTrendsPublisher = Type.Object(
  {
    id: Id,
    domain: Type.String(),
    trendable: nullable(Type.Boolean(), { description: 'Null: not reviewed; the setting of the server applies.' }),
    reviewed_at: nullable(DateTime),
    requested_review_at: nullable(DateTime, { description: 'When the staff were asked for a review by e-mail.' }),
    requires_review,
  },
  {
    $id: 'AdminTrendsPublisher',
    description: 'A publisher of linked pages (Admin::Trends::Links::PreviewCardProvider).',
  },
)
export type AdminTrendsPublisher = Static<typeof AdminTrendsPublisher>
