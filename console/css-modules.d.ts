declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>
  // biome-ignore lint/style/noDefaultExport: esbuild exports the class names of a stylesheet as its default
  export default classes
}

declare module '*.css' {}
