/** A dialog that an entry of the menu of a profile opens. */
export type ProfileDialog =
  | 'lists'
  | 'collections'
  | 'languages'
  | 'mute'
  | 'block'
  | 'block-domain'
  | 'remove-follower'
  | 'report'
