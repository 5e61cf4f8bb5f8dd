/** A dialog that an entry of the menu of a profile opens. */
export type ProfileDialog = 'lists' | 'languages' | 'mute' | 'block' | 'block-domain' | 'remove-follower' | 'report'
