interface Kind {
  /**
   * What belongs to it: the status that was written, favourited or boosted; the collection that somebody was put into;
   * the report; what ended relationships; what the staff says; what one's year was like.
   */
  attaches: 'status' | 'collection' | 'report' | 'severance' | 'warning' | 'annual report' | 'nothing'
  /** Whether several of it may be shown as one, such as the favourites of one post. */
  groups: boolean
  /** Whether the policy of whom it is for may hold it back. */
  filters: boolean
}

/** Every kind of notification there is. To add one: a line here, and the effect that writes it. */
export const KINDS = {
  mention: { attaches: 'status', groups: false, filters: true },
  /** Somebody followed with a notice for each post has posted. */
  status: { attaches: 'status', groups: false, filters: false },
  /** A status that one boosted has been edited. */
  update: { attaches: 'status', groups: false, filters: false },
  /** The status is the boosted one, not the boost. */
  reblog: { attaches: 'status', groups: true, filters: true },
  favourite: { attaches: 'status', groups: true, filters: true },
  /** A poll is over in which one voted, or that one made. */
  poll: { attaches: 'status', groups: false, filters: false },
  /** The status is the one that quotes. */
  quote: { attaches: 'status', groups: false, filters: true },
  /** What one quoted has been edited; the status is one's own, which quotes it. */
  quoted_update: { attaches: 'status', groups: false, filters: false },
  follow: { attaches: 'nothing', groups: true, filters: true },
  follow_request: { attaches: 'nothing', groups: false, filters: true },
  added_to_collection: { attaches: 'collection', groups: false, filters: true },
  /** A collection that one is in says something else about itself. */
  collection_update: { attaches: 'collection', groups: false, filters: false },
  /** To the staff: somebody new can be met here. */
  'admin.sign_up': { attaches: 'nothing', groups: true, filters: false },
  /** To the staff: somebody told them of somebody. */
  'admin.report': { attaches: 'report', groups: false, filters: false },
  /** A block or a suspension has ended follows. One caused it oneself, as far as anybody is told. */
  severed_relationships: { attaches: 'severance', groups: false, filters: false },
  /** The staff did something about one's account or posts; who of them is not told. */
  moderation_warning: { attaches: 'warning', groups: false, filters: false },
  /** One asked what one's year was like, and can look at it now. */
  annual_report: { attaches: 'annual report', groups: false, filters: false },
} as const satisfies Record<string, Kind>

export type NotificationKind = keyof typeof KINDS

/** The kinds of which something holds. */
export function kindsThat(holds: 'groups' | 'filters'): NotificationKind[] {
  return (Object.keys(KINDS) as NotificationKind[]).filter((kind) => KINDS[kind][holds])
}
