/** The Unicode emojis by group, from the plugin in `vite.config.ts`: character, name, keywords, pattern of skin tones. */
declare module 'virtual:emojis/*' {
  const groups: import('./unicode-emojis.ts').EmojiRow[][]
  export default groups
}
