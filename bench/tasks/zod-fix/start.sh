# A fix in a file of 4,334 lines of an npm package.
npm pack --silent zod@4.1.13
tar xzf zod-4.1.13.tgz --strip-components 1
rm zod-4.1.13.tgz
