# A new string format in seven files of an npm package: snowflake IDs, made as KSUIDs are.
npm pack --silent zod@4.1.13
tar xzf zod-4.1.13.tgz --strip-components 1
rm zod-4.1.13.tgz
