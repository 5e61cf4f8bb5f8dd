/** Texts of a language, from the plugin in `vite.config.ts`; those with placeholders are parsed. */
declare module 'virtual:messages/*' {
  const texts: Record<string, import('./pattern.ts').Pattern>
  export default texts
}
