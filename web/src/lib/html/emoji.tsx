import type { CustomEmoji } from '../api/entities.ts'
import { animatesOnHover } from '../settings.ts'

/** A custom emoji. It is animated only while the pointer is over it, and never if the user prefers less motion. */
export function Emoji({ emoji }: { emoji: CustomEmoji }) {
  const code = `:${emoji.shortcode}:`
  return (
    <picture className="emoji-picture">
      <source media="(prefers-reduced-motion: reduce)" srcSet={emoji.staticUrl} />
      <img
        className="emoji"
        src={emoji.staticUrl}
        alt={code}
        title={code}
        loading="lazy"
        decoding="async"
        onMouseEnter={({ currentTarget }) => {
          if (animatesOnHover()) currentTarget.src = emoji.url
        }}
        onMouseLeave={({ currentTarget }) => (currentTarget.src = emoji.staticUrl)}
      />
    </picture>
  )
}
